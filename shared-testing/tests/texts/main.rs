//! Every visible text of the pages is in the tables of all languages. Every text of the tables is used.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use shared_testing::sources;

mod places;
mod source;
mod table;

/// The folders of pages, each with its tables in `texts`.
const PAGES: [&str; 5] = [
    "shared-runtime/src/pages",
    "cloud-svc/src/faces/pages",
    "locker-svc/src/pages",
    "orders-svc/src/pages",
    "trust-svc/src/pages",
];
/// What nobody sees on a page, or is English: the reference of the OpenAPI document, mistakes in settings, names of keys.
const ENGLISH: [&str; 3] = [
    "shared-runtime/src/pages/reference",
    "shared-runtime/src/pages/session.rs",
    "shared-runtime/src/pages/sign_in/settings.rs",
];

#[test]
fn every_visible_text_is_in_the_tables() {
    let mut offences = Vec::new();
    for folder in PAGES {
        for file in shown(folder) {
            let found = source::read(&text(&file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let lines = found.loose.iter().map(|(line, text)| format!("{}:{line}: {text:?}", file.display()));
            offences.extend(lines);
        }
    }
    assert!(offences.is_empty(), "write text!(…), and its translation into the tables:\n{}", offences.join("\n"));
}

#[test]
fn every_text_of_the_tables_is_used_once_and_keeps_its_places() {
    let mut offences = Vec::new();
    for folder in PAGES {
        let mut sources = files(&workspace().join(folder));
        sources.retain(|file| !is_table(file));
        let used: BTreeSet<String> =
            sources.iter().flat_map(|file| source::read(&text(file)).expect("Rust").used).collect();
        let rows: Vec<_> = tables(folder).iter().flat_map(|file| table::rows(&text(file)).expect("a table")).collect();
        let known: BTreeSet<&String> = rows.iter().map(|(english, _)| english).collect();
        assert!(known.len() > 20, "{folder}: its tables are not found");
        if known.len() < rows.len() {
            offences.push(format!("{folder}: a text stands twice in its tables"));
        }
        offences
            .extend(known.iter().filter(|text| !used.contains(**text)).map(|text| format!("{folder}: unused: {text}")));
        let is_odd = |english: &str, other: &str| other.trim().is_empty() || places::of(english) != places::of(other);
        let odd = rows.iter().filter(|(english, other)| is_odd(english, other));
        offences.extend(odd.map(|(english, other)| format!("{folder}: other places: {english:?} and {other:?}")));
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

/// The files of pages, without their tables.
fn shown(folder: &str) -> Vec<PathBuf> {
    let mut files = files(&workspace().join(folder));
    files.retain(|file| !is_table(file) && ENGLISH.iter().all(|english| !file.starts_with(workspace().join(english))));
    files
}

fn tables(folder: &str) -> Vec<PathBuf> {
    let mut files = files(&workspace().join(folder));
    files.retain(|file| is_table(file) && file.file_name().is_some_and(|name| name != "mod.rs"));
    files
}

fn is_table(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "texts")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    sources::with_extension(folder, "rs")
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).expect("a source")
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}
