//! Every message of the crate's errors, on one page.

use std::io;
use std::path::{Path, PathBuf};

use palmtop_core::{assert_messages, one_of_each};
use palmtop_tables::error::DataError;

use crate::{NoArx, NoProposal, ProposalError};

fn path(name: &str) -> PathBuf {
    name.into()
}

fn of_proposals() -> [String; 3] {
    let no_member = || NoProposal::NoMember { path: path("p.csv"), found: "no column can mark T".to_owned() };
    let arx = || path("study.deid");
    [
        one_of_each!(NoProposal {
            NoMember => no_member();
            NothingShared => NoProposal::NothingShared { private: path("t.csv"), public: path("p.csv") };
            NothingGeneralized => NoProposal::NothingGeneralized {
                private: path("t.csv"),
                public: path("p.csv"),
                shared: vec!["name".to_owned(), "phone".to_owned()],
            };
        }),
        one_of_each!(NoArx {
            NoSubset => NoArx::NoSubset { path: arx() };
            Unnamed => NoArx::Unnamed { path: arx() };
            NoQuasi => NoArx::NoQuasi { path: arx() };
            NoColumn => NoArx::NoColumn {
                path: arx(),
                column: "size".to_owned(),
                columns: vec!["age".to_owned(), "zip".to_owned()],
            };
        }),
        one_of_each!(ProposalError {
            Data => DataError::changed(Path::new("p.csv")).into();
            None => no_member().into();
            Assumed => ProposalError::Assumed {
                assumed: vec!["public.header = true".to_owned()],
                why: no_member(),
            };
            NoArx => NoArx::NoSubset { path: arx() }.into();
            NotFound => ProposalError::NotFound {
                what: "P: ",
                path: path("p.csv"),
                source: io::Error::from(io::ErrorKind::NotFound),
            };
            NotUtf8 => ProposalError::NotUtf8 { path: path("p?.csv") };
        }),
    ]
}

#[test]
fn every_message_is_on_the_page() {
    let [proposals, arx, sources] = of_proposals();
    assert_messages!(proposals, arx, sources);
}
