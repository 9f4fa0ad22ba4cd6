//! The walkthroughs of docs/api.md and README.md, run as they are written, but for `cargo build`: the tests have built
//! everything.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
};

use crate::stack::{BINARY, Scene};

const API: &str = include_str!("../../../docs/api.md");
const README: &str = include_str!("../../../README.md");

/// The shell's lines below a heading.
fn lines(document: &'static str, heading: &str) -> &'static str {
    let (_, section) = document.split_once(heading).unwrap_or_else(|| panic!("no {heading}"));
    let (_, block) = section.split_once("```sh\n").expect("a block of shell");
    block.split_once("```").expect("its end").0
}

/// Follows a walkthrough beside a running stack; what it prints.
fn walk(document: &'static str, heading: &str) -> String {
    let scene = Scene::new();
    let _stack = scene.start(&[]);
    walk_beside(&scene, lines(document, heading))
}

/// Runs these lines beside the running stack of a scene; what they print.
pub(crate) fn walk_beside(scene: &Scene, lines: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let built = Path::new(BINARY).parent().expect("a folder");
    fs::create_dir(folder.path().join("target")).expect("a folder");
    symlink(built, folder.path().join("target/debug")).expect("a link");
    symlink(repository.join("docs"), folder.path().join("docs")).expect("a link");
    symlink(scene.data(), folder.path().join(".fourfold")).expect("a link");
    let script = format!("cargo() {{ [ \"$1\" = build ]; }}\n{lines}");
    let output = Command::new("sh")
        .args(["-u", "-c", &script])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("a shell is there");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[track_caller]
fn says(printed: &str, all: &[&str]) {
    for one in all {
        assert!(printed.contains(one), "{one} is not in\n{printed}");
    }
}

#[test]
fn first_calls() {
    says(&walk(README, "## First calls"), &[r#""workspaces":[{"#, r#""name":"Minutes""#]);
}

#[test]
fn an_export_is_built_fetched_and_verified() {
    let printed = walk(API, "#### Export a room and fetch it\n");
    says(&printed, &["all as signed, put together in docs.tar", "docs/"]);
}

#[test]
fn a_model_connection_is_tested() {
    let printed = walk(API, "#### Test a model connection\n");
    says(&printed, &[r#""status": "succeeded""#, "\ntrue\n", "model_not_configured"]);
}

#[test]
fn an_order_is_placed_read_and_moved() {
    let printed = walk(API, "#### Place an order, read it and move it\n");
    says(&printed, &["etag: ", "error: an order that is paid cannot become placed", r#""due_minor":0"#]);
}

#[test]
fn a_signer_s_first_event_is_published() {
    let printed = walk(API, "#### Publish your first event\n");
    says(&printed, &[": registered", r#""event_hash":"sha256:"#, r#""revision":1"#]);
}

#[test]
fn an_agent_edits_a_document() {
    let printed = walk(API, "#### Edit a document as an agent\n");
    let all = [r#""inserted": 2"#, r#""replayed": true"#, r#""code": "plan_stale""#, r#""type": "rebase""#];
    says(&printed, &all);
    says(&printed, &[r#""actor":"agent","plan_id":null,"restored_from":"ver_"#]);
}

#[test]
fn a_person_signs_in() {
    says(&walk(API, "#### Sign in to pages\n"), &["<title>Files"]);
}

#[test]
fn an_agent_edits_by_tools() {
    let printed = walk(API, "#### Use it from an agent (MCP)\n");
    says(&printed, &["read_document\tRead a document", "<untrusted id=", r#""inserted": 1"#, "\ntrue\n"]);
    says(&printed, &[r#""code": "etag_mismatch""#, r#""name": "read_document""#]);
}

#[test]
fn an_agent_s_edit_is_reviewed() {
    let printed = walk(API, "#### Review an agent's edit\n");
    let all =
        ["approval_required\n", "in_review\n", "large_deletion", r#"{"verdict":"approved","by":"Bob"}"#, "applied\n"];
    says(&printed, &all);
}

#[test]
fn a_workspace_is_followed() {
    let printed = walk(API, "#### Follow a workspace\n");
    says(&printed, &[r#""file.created","Followed","Ada"]"#, r#""comment.created","Followed","Ada"]"#]);
    says(&printed, &[r#"["file.renamed","Followed further"]"#, r#"{"items":[],"has_more":false}"#]);
}

#[test]
fn webhooks_are_received() {
    let printed = walk(API, "#### Receive webhooks\n");
    says(&printed, &["told: webhook.ping None", "told: file.created file_", "not genuine", r#""state":"active""#]);
    says(&printed, &[r#"["file.created","delivered",1]"#, r#"["webhook.verification","delivered",1]"#, "revoked\n"]);
}

#[test]
fn a_budget_is_edited() {
    let printed = walk(API, "#### Edit a budget\n");
    says(&printed, &[r#"["B5","=SUM(B2:B4)"]"#, "formula_overwritten", "formula_not_allowed", "'=SUM(B2:B5)"]);
}
