//! Reads both tables.

use super::Layout;
use super::row_facts::RowFacts;
use crate::people::count::{Counting, Stop, Tally, TooMany};
use crate::people::persons::Watched;
use crate::problems::VerifyError;
use crate::read::Batch;
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
    pub(crate) fn tally(&self, stop: &Stop) -> Result<(Tally, Tally), VerifyError> {
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
        let is_plain = self.facts.count_rows_only() && self.public.repeats.is_empty();
        self.public.visit_batches(&parts, stop, &mut |batches| {
            let mut counted: Vec<[Vec<(usize, u64)>; 2]> = Vec::new();
            for batch in batches.iter().filter(|_| !is_plain) {
                let facts = RowFacts::read(&self.facts, &self.public, batch, watched_end);
                let (mut people, mut members) = (Vec::with_capacity(batch.len()), Vec::new());
                for row in 0..batch.len() {
                    let count = facts.count(row)?;
                    let is_member = facts.is_member(row)?;
                    if count == 0 || self.public.repeats.contains(&(before + row as u64)) {
                        continue;
                    }
                    public.admit(count).map_err(|TooMany| self.too_many("public", &public))?;
                    people.push((row, count));
                    if is_member {
                        private.admit(count).map_err(|TooMany| self.too_many("private", &private))?;
                        members.push((row, count));
                    }
                }
                before += batch.len() as u64;
                counted.push([people, members]);
            }
            let rows: usize = batches.iter().map(Batch::len).sum();
            let (mut people, mut members) = (Vec::new(), Vec::new());
            for [of_public, of_private] in &counted {
                people.push(Counting::Some(of_public));
                members.push(Counting::Some(of_private));
            }
            if is_plain {
                public.admit(rows as u64).map_err(|TooMany| self.too_many("public", &public))?;
                people = vec![Counting::All; batches.len()];
            }
            let added = public.add(batches, 0..public_width, &people);
            added.map_err(|TooMany| self.too_many("public", &public))?;
            if counted.iter().any(|[_, members]| !members.is_empty()) {
                let added = private.add(batches, public_width..private_end, &members);
                added.map_err(|TooMany| self.too_many("private", &private))?;
            }
            // A row with a count is for several people, so only members need an identifier each.
            let counting = if self.facts.count.is_some() { &members } else { &people };
            for (part, watched) in (private_end..).zip(&mut watched) {
                watched.look(batches, part, counting);
            }
            stop.read(rows);
            Ok(())
        })?;
        watched.iter_mut().try_for_each(|watched| watched.check(&self.public))?;
        if let Some(table) = &self.private {
            let width = private_indices.len();
            let mut watched: Vec<Watched> =
                self.watched.1.iter().map(|identifier| Watched::new(identifier.clone(), true)).collect();
            private_indices.extend(watched.iter().map(Watched::column));
            let mut before = 0;
            table.visit_batches(&private_indices, stop, &mut |batches| {
                let mut members: Vec<Vec<(usize, u64)>> = Vec::new();
                for batch in batches {
                    let is_counted = |row: &usize| !table.repeats.contains(&(before + *row as u64));
                    members.push((0..batch.len()).filter(is_counted).map(|row| (row, 1)).collect());
                    before += batch.len() as u64;
                }
                let counting: Vec<Counting> = members.iter().map(|rows| Counting::Some(rows)).collect();
                let too_many = |private: &Tally| self.too_many("private", private);
                let admitted = members.iter().try_for_each(|rows| private.admit(rows.len() as u64));
                admitted.map_err(|TooMany| too_many(&private))?;
                for (part, watched) in (width..).zip(&mut watched) {
                    watched.look(batches, part, &counting);
                }
                let added = private.add(batches, 0..width, &counting);
                added.map_err(|TooMany| too_many(&private))?;
                stop.read(batches.iter().map(Batch::len).sum());
                Ok(())
            })?;
            watched.iter_mut().try_for_each(|watched| watched.check(table))?;
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
