//! Imports go downwards: by floors in the crates of `FLOORS`, without circles in all crates, and never between services.

use std::{
    fs,
    path::{Path, PathBuf},
};

mod circles;
mod fixture;
mod resolve;
mod rooms;
mod rules;
mod source;

use rooms::Exception;
use rules::Offence;

/// The folders and files of a crate's `src`, without `.rs`, lowest floor first. Two on one floor do not import one another.
const FLOORS: &[(&str, &[&[&str]])] = &[
    (
        "shared-runtime",
        &[
            &["base"],
            &["state"],
            &["identity"],
            &["context"],
            &["http"],
            &["idempotency", "jobs"],
            &["import", "mcp", "pages"],
            &["service"],
        ],
    ),
    ("cloud-svc", &[&["base"], &["workspace"], &["files"], &["edits", "transfer", "news"], &["faces"]]),
];

/// Circles of rooms that remain. This list may only shrink.
const ROOM_EXCEPTIONS: &[Exception] = &[];

#[test]
fn every_import_goes_downwards() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let crates = crates(workspace);
    let mut offences: Vec<Offence> = Vec::new();
    let mut circles = Vec::new();
    for (name, folder) in &crates {
        for root in rules::roots(workspace, folder) {
            let arrows = resolve::arrows(workspace, &root).expect("readable sources");
            for (_, floors) in FLOORS.iter().filter(|(of, _)| of == name) {
                offences.extend(rules::upward(&folder.join("src"), floors, &arrows));
            }
            offences.extend(rules::from_root(&arrows));
            // Last: one upward import closes many circles.
            offences.extend(rules::circular(&arrows));
            circles.extend(rooms::circles(&arrows));
        }
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(workspace.join(&manifest)).expect("a manifest");
        offences.extend(rules::between_services(&crates, &manifest, &text));
    }
    offences.extend(rooms::offences(&circles, ROOM_EXCEPTIONS));
    rules::assert_none(&offences);
}

/// The workspace's crates with their folders, as its `Cargo.toml` lists them.
fn crates(workspace: &Path) -> Vec<(String, PathBuf)> {
    let manifest = fs::read_to_string(workspace.join("Cargo.toml")).expect("a manifest");
    let (_, list) = manifest.split_once("\nmembers = [").expect("members");
    let (list, _) = list.split_once(']').expect("a list");
    let folders = list.split(',').map(|member| PathBuf::from(member.trim().trim_matches('"')));
    let named = folders.filter(|folder| folder != Path::new("")).map(|folder| (package(workspace, &folder), folder));
    named.collect()
}

/// The name of the crate in this folder.
fn package(workspace: &Path, folder: &Path) -> String {
    let manifest = fs::read_to_string(workspace.join(folder).join("Cargo.toml")).expect("a manifest");
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).expect("a name");
    name.trim_matches('"').to_owned()
}
