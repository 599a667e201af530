//! Reads both tables.

use super::Layout;
use super::row_facts::RowFacts;
use crate::people::count::{Counting, Rows, Tally, TooMany};
use crate::people::persons::Watched;
use crate::problems::VerifyError;
use palmtop_terms::LocatedError;

/// The limit of people in T.
const MOST_PRIVATE: u64 = u32::MAX as u64;
/// The limit of people in P.
const MOST_PUBLIC: u64 = (1 << 63) - 1;

impl Layout<'_> {
    /// Reads both tables and reduces them to distinct rows of texts.
    ///
    /// The tally of P has the quasi-identifiers. The tally of T has the quasi-identifiers, then the kept columns. If people
    /// have several rows, the last column of both is the entity.
    pub(crate) fn tally(&self, progress: &mut Rows) -> Result<(Tally, Tally), VerifyError> {
        let mut parts = self.public_indices.clone();
        parts.extend(self.entity_indices.map(|(in_public, _)| in_public));
        let public_width = parts.len();
        let mut private_indices = self.private_indices.clone();
        private_indices.extend(self.entity_indices.map(|(_, in_private)| in_private));
        let mut public = Tally::new(public_width, MOST_PUBLIC);
        let mut private = Tally::new(private_indices.len(), MOST_PRIVATE);
        if self.private.is_none() {
            parts.extend(&private_indices);
        }
        let private_end = parts.len();
        let known = self.watched.0.iter().map(|identifier| Watched::new(identifier.clone(), true));
        let maybe = self.maybe_persons.iter().map(|identifier| Watched::new(identifier.clone(), false));
        let mut watched: Vec<Watched> = known.chain(maybe).collect();
        parts.extend(watched.iter().map(Watched::column));
        let watched_end = parts.len();
        parts.extend(self.facts.count.iter().chain(&self.facts.member));
        let mut before = 0;
        self.public.visit_batches(&parts, &mut |batch| {
            let first = before;
            before += batch.len() as u64;
            if self.facts.count_rows_only() && self.public.repeats.is_empty() {
                let rows = batch.len() as u64;
                public.admit(rows).map_err(|TooMany| self.too_many("public", &public))?;
                let added = public.add(batch, 0..public_width, Counting::All);
                added.map_err(|TooMany| self.too_many("public", &public))?;
                for (part, watched) in (private_end..).zip(&mut watched) {
                    watched.look(batch, part, (0..batch.len()).map(|row| (row, 1)));
                }
                return progress.add(rows);
            }
            let facts = RowFacts::read(&self.facts, &self.public, batch, watched_end);
            let (mut people, mut members) = (Vec::with_capacity(batch.len()), Vec::new());
            for row in 0..batch.len() {
                let count = facts.count(row)?;
                let is_member = facts.is_member(row)?;
                if count == 0 || self.public.repeats.contains(&(first + row as u64)) {
                    continue;
                }
                public.admit(count).map_err(|TooMany| self.too_many("public", &public))?;
                people.push((row, count));
                if is_member {
                    private.admit(count).map_err(|TooMany| self.too_many("private", &private))?;
                    members.push((row, count));
                }
            }
            let added = public.add(batch, 0..public_width, Counting::Some(&people));
            added.map_err(|TooMany| self.too_many("public", &public))?;
            if !members.is_empty() {
                let added = private.add(batch, public_width..private_end, Counting::Some(&members));
                added.map_err(|TooMany| self.too_many("private", &private))?;
            }
            for (part, watched) in (private_end..).zip(&mut watched) {
                // A row with a count is for several people, so only members need an identifier each.
                let rows = if self.facts.count.is_some() { &members } else { &people };
                watched.look(batch, part, rows.iter().copied());
            }
            progress.add(batch.len() as u64)
        })?;
        watched.iter().try_for_each(|watched| watched.check(&self.public))?;
        if let Some(table) = &self.private {
            let width = private_indices.len();
            let mut watched: Vec<Watched> =
                self.watched.1.iter().map(|identifier| Watched::new(identifier.clone(), true)).collect();
            private_indices.extend(watched.iter().map(Watched::column));
            let mut before = 0;
            table.visit_batches(&private_indices, &mut |batch| {
                let is_counted = |row: &usize| !table.repeats.contains(&(before + *row as u64));
                let members: Vec<(usize, u64)> =
                    (0..batch.len()).filter(is_counted).map(|row| (row, 1)).collect();
                before += batch.len() as u64;
                let too_many = |private: &Tally| self.too_many("private", private);
                private.admit(members.len() as u64).map_err(|TooMany| too_many(&private))?;
                for (part, watched) in (width..).zip(&mut watched) {
                    watched.look(batch, part, members.iter().copied());
                }
                let added = private.add(batch, 0..width, Counting::Some(&members));
                added.map_err(|TooMany| too_many(&private))?;
                progress.add(batch.len() as u64)
            })?;
            watched.iter().try_for_each(|watched| watched.check(table))?;
        }
        public.close();
        private.close();
        Ok((public, private))
    }

    fn too_many(&self, table: &'static str, tally: &Tally) -> VerifyError {
        let path = if table == "public" { &self.public.path } else { &self.private().path };
        LocatedError::new(format!("more than {} people", tally.most()))
            .in_file(path)
            .remedy(format!("split the {table} table"))
            .into()
    }
}
