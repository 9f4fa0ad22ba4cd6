//! Imports go downwards: in shared-runtime by its floors, everywhere without circles, and never between services.

use std::{fs, path::Path};

mod circles;
mod fixture;
mod resolve;
mod rules;
mod source;

use rules::Offence;

/// The folders of `shared-runtime/src`, lowest first. Two on one floor do not import one another.
const FLOORS: &[&[&str]] = &[
    &["base"],
    &["state"],
    &["identity"],
    &["context"],
    &["http"],
    &["idempotency", "jobs", "mcp"],
    &["import", "pages"],
    &["service"],
];

const SERVICES: &[&str] = &["locker-svc", "cloud-svc", "orders-svc", "trust-svc"];

#[test]
fn every_import_goes_downwards() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut offences: Vec<Offence> = Vec::new();
    for member in members(workspace) {
        for root in rules::roots(workspace, &member) {
            let arrows = resolve::arrows(workspace, &root).expect("readable sources");
            if member == "shared-runtime" {
                offences.extend(rules::upward(Path::new("shared-runtime/src"), FLOORS, &arrows));
            }
            offences.extend(rules::from_root(&arrows));
            // Last: one upward import closes many circles.
            offences.extend(rules::circular(&arrows));
        }
        let manifest = Path::new(&member).join("Cargo.toml");
        let text = fs::read_to_string(workspace.join(&manifest)).expect("a manifest");
        offences.extend(rules::between_services(SERVICES, &manifest, &text));
    }
    rules::assert_none(&offences);
}

/// The folders of the workspace's crates, as its `Cargo.toml` lists them.
fn members(workspace: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(workspace.join("Cargo.toml")).expect("a manifest");
    let (_, list) = manifest.split_once("\nmembers = [").expect("members");
    let (list, _) = list.split_once(']').expect("a list");
    list.split(',').map(|member| member.trim().trim_matches('"').to_owned()).filter(|name| !name.is_empty()).collect()
}
