//! The README and the book in `docs/`: each link has a target, each page is in the table of
//! contents, and the README is short.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page: the targets of its links and images, and the anchors of its headings.
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

impl Page {
    fn of(text: &str) -> Self {
        let (mut links, mut anchors, mut heading) = (Vec::new(), BTreeSet::new(), None::<String>);
        let mut uses = BTreeMap::<String, u32>::new();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap());
                    let nth = uses.entry(anchor.clone()).or_default();
                    anchors.insert(if *nth == 0 { anchor } else { format!("{anchor}-{nth}") });
                    *nth += 1;
                }
                _ => {}
            }
        }
        Self { links, anchors }
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The pages of the book by their paths from the repository root.
pub(crate) fn book() -> BTreeMap<PathBuf, String> {
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let named = pages.map(|path| (Path::new("docs").join(path.file_name().unwrap()), path));
    named.map(|(name, path)| (name, fs::read_to_string(path).unwrap())).collect()
}

/// The path with `.` and `..` resolved.
fn resolved(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(parts.pop(), "{} leaves the project", path.display()),
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts
}

/// The links of these pages that have no target.
fn broken(pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let parsed: BTreeMap<&Path, Page> =
        pages.iter().map(|(path, text)| (path.as_path(), Page::of(text))).collect();
    let mut broken = Vec::new();
    for (&path, page) in &parsed {
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.to_owned() } else { resolved(&path.with_file_name(file)) };
            let exists = parsed.contains_key(target.as_path()) || root().join(&target).exists();
            let known = parsed.get(target.as_path()).is_none_or(|page| page.anchors.contains(anchor));
            if !exists || !(anchor.is_empty() || known) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    broken
}

#[test]
fn every_link_in_the_book_leads_somewhere() {
    let mut pages = book();
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "benches/README.md"] {
        pages.insert(name.into(), fs::read_to_string(root().join(name)).unwrap());
    }
    assert_eq!(broken(&pages), [""; 0]);
    // The check finds a wrong file and a wrong heading.
    let page = "# A heading, *twice*\n## A heading, twice\n[a](#a-heading-twice-1) [b](#no) [c](gone.md) [d](../src/main.rs)";
    let found = broken(&BTreeMap::from([(PathBuf::from("docs/page.md"), page.to_owned())]));
    assert_eq!(found, ["docs/page.md: #no", "docs/page.md: gone.md"]);
}

#[test]
fn the_contents_list_every_page_once() {
    let pages = book();
    let contents = Path::new("docs/SUMMARY.md");
    let mut listed = Page::of(&pages[contents]).links;
    listed.sort();
    let names = pages.keys().filter(|path| *path != contents);
    let names: Vec<&str> = names.map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(listed, names);
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 200, "{} lines", readme.lines().count());
    let wide = |line: &&str| line.chars().count() > 120;
    assert_eq!(readme.lines().find(wide), None);
}
