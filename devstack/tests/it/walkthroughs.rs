//! The shell blocks of docs/guides and README.md, run as they are written. Only `cargo build` is skipped: the tests have
//! built everything. The first command that fails ends the walk, and fails the test.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::stack::{BINARY, Scene};

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The blocks of a text that are in this language.
pub(crate) fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let begin = format!("```{language}\n");
    text.split(begin.as_str()).skip(1).map(|block| block.split_once("```").expect("the block ends").0).collect()
}

/// All shell blocks of a text, one after the other.
fn shell(text: &str) -> String {
    blocks(text, "sh").concat()
}

/// The shell blocks of a guide.
fn lines_of(guide: &str) -> String {
    let path = repository().join("docs/guides").join(guide).with_extension("md");
    shell(&fs::read_to_string(path).expect("the guide"))
}

/// Follows a guide next to a running stack and returns what it prints.
fn walk(guide: &str) -> String {
    let scene = Scene::new();
    let _stack = scene.start(&[]);
    walk_beside(&scene, &lines_of(guide))
}

/// The same, for a guide that shows how this command is refused. The test fails if it succeeds.
fn walk_to_refusal(guide: &str, refused: &str) -> String {
    let lines = lines_of(guide);
    let line = format!("\n{refused}\n");
    assert_eq!(lines.matches(&line).count(), 1, "{guide} has this command once: {refused}");
    let scene = Scene::new();
    let _stack = scene.start(&[]);
    walk_beside(&scene, &lines.replace(&line, &format!("\nif {refused}; then echo 'not refused'; exit 1; fi\n")))
}

/// Runs these lines beside the running stack of a scene and returns what they print. Fails at the first command that
/// fails. Of a pipe, the shell looks at the last command only.
pub(crate) fn walk_beside(scene: &Scene, lines: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let built = Path::new(BINARY).parent().expect("a folder");
    fs::create_dir(folder.path().join("target")).expect("a folder");
    symlink(built, folder.path().join("target/debug")).expect("a link");
    for name in ["docs", "examples"] {
        symlink(repository().join(name), folder.path().join(name)).expect("a link");
    }
    symlink(scene.data(), folder.path().join(".fourfold")).expect("a link");
    let script = format!("cargo() {{ [ \"$1\" = build ]; }}\n{lines}");
    let output = Command::new("sh")
        .args(["-e", "-u", "-c", &script])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("a shell is there");
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}, after\n{printed}", output.status);
    printed
}

#[track_caller]
fn says(printed: &str, all: &[&str]) {
    for one in all {
        assert!(printed.contains(one), "{one} is not in\n{printed}");
    }
}

#[test]
fn every_guide_with_shell_blocks_is_run_here() {
    let tests = include_str!("walkthroughs.rs");
    for entry in fs::read_dir(repository().join("docs/guides")).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let has_shell = !shell(&fs::read_to_string(&path).expect("a guide")).is_empty();
        let calls = [format!("walk({name:?})"), format!("walk_to_refusal({name:?}, ")];
        assert_eq!(has_shell, calls.iter().any(|call| tests.contains(call)), "{name}");
    }
}

#[test]
fn the_first_calls_of_the_readme() {
    let readme = fs::read_to_string(repository().join("README.md")).expect("the README");
    let (_, section) = readme.split_once("## First call\n").expect("the section");
    let scene = Scene::new();
    let _stack = scene.start(&[]);
    says(&walk_beside(&scene, &shell(section)), &[r#""workspaces":[{"#, r#""name":"Minutes""#]);
}

#[test]
fn the_quickstart_creates_and_edits_a_document() {
    let printed = walk("quickstart");
    says(
        &printed,
        &[r#""name": "First steps""#, r#""inserted": 1"#, r#""state": "applied""#, r#""undo": {"#, "Hello."],
    );
}

#[test]
fn an_export_is_built_fetched_and_verified() {
    says(&walk("export-a-room"), &["all match the manifest, assembled in docs.tar", "docs/"]);
}

#[test]
fn a_model_connection_is_tested() {
    says(&walk("test-a-model-connection"), &[r#""status": "succeeded""#, "\ntrue\n", "model_not_configured"]);
}

#[test]
fn an_order_is_placed_read_and_moved() {
    let printed = walk_to_refusal("place-an-order", r#"orders order move "$ORDER" placed"#);
    says(&printed, &["etag: ", "error: an order that is paid cannot become placed", r#""due_minor":0"#]);
}

#[test]
fn a_signer_s_first_event_is_published_and_verified() {
    let printed = walk("publish-an-event");
    says(&printed, &[": registered", r#""event_hash":"sha256:"#, r#""revision":1"#, "verified: "]);
}

#[test]
fn files_are_found_by_what_is_written_in_them() {
    let marks = r#""excerpt":"Water the Würzburger roses daily.","marks":[[21,25]]}"#;
    says(&walk("search"), &[marks, r#""excerpt":"Not in winter.","marks":[[7,13]]}"#, "\n1\n", "Watering"]);
}

#[test]
fn an_agent_edits_a_document() {
    let printed = walk("edit-as-an-agent");
    let all = [r#""inserted": 2"#, r#""replayed": true"#, r#""code": "etag_mismatch""#, r#""type": "rebase""#];
    says(&printed, &all);
    says(&printed, &[r#""actor":"agent","plan_id":null,"restored_from":"ver_"#]);
}

#[test]
fn a_person_signs_in() {
    says(&walk("sign-in-and-pages"), &["<title>Files"]);
}

#[test]
fn an_agent_edits_by_tools() {
    let printed = walk("mcp");
    says(&printed, &["read_file\tRead any file", "<untrusted id=", "] # Welcome"]);
    says(&printed, &["refused etag_mismatch: ", "Next: read_file {", r#""code": "etag_mismatch""#]);
    says(&printed, &[" proposed: inserted 1", "Undo: restore_version {"]);
}

#[test]
fn an_agent_s_edit_is_reviewed() {
    let printed = walk("review");
    let all =
        ["approval_required\n", "in_review\n", "large_deletion", r#"{"verdict":"approved","by":"Bob"}"#, "applied\n"];
    says(&printed, &all);
    says(&printed, &[r#""by":"Helper","approved_by":"Bob"}"#]);
}

#[test]
fn an_agent_is_called_from_a_comment() {
    let printed = walk("call-an-agent");
    says(&printed, &[r#"{"text":"@secretary Please add lemons.","file":"Shopping","answers":0}"#]);
    says(&printed, &[r#"{"state":"applied","answers":true}"#, "resolved\n", "agent.mentioned\n"]);
}

#[test]
fn a_protected_total_is_changed_with_an_approval() {
    let printed = walk("protect-parts");
    says(
        &printed,
        &[r#"[{"range":"Budget!B3"}]"#, "person_required\n", r#"{"code":"protected_part","where":"Budget!B4"}"#],
    );
    says(&printed, &["approval_required\n", r#"[{"range":"Budget!B4"}]"#, "approved\napplied\n"]);
}

#[test]
fn an_agent_is_let_into_one_room() {
    let printed = walk("limit-agents");
    says(
        &printed,
        &[r#"{"may":"propose","types":null,"set_by":"ada"}"#, r#"["Welcome","Guests"]"#, "[]\nnot_found\nnot_found"],
    );
    says(&printed, &["proposed\nagent_limited\n"]);
}

#[test]
fn a_decision_is_proven() {
    let forged = "target/debug/cloud-svc receipts verify forged.jsonl --keys keys.json";
    let printed = walk_to_refusal("prove-a-decision", forged);
    says(&printed, &["in_review\napproved\napplied\n", r#""decision":"approved","by":"bob","approved_by":null}"#]);
    says(&printed, &["receipts up to ", "the signature does not hold", " receipts hold\n", "InvalidSignature"]);
}

#[test]
fn a_plan_is_decided_in_parts() {
    let printed = walk("decide-in-parts");
    says(&printed, &[r#"{"state":"in_review","changes":["title"],"how":"split"}"#, "approved\n", "applied\n"]);
    says(&printed, &[r#"[{"id":"c1","member":"tags"},{"id":"c2","member":"archived"}]"#]);
    says(
        &printed,
        &[r#"{"state":"returned","reason":"Not archived, please."}"#, r#"{"revision":2,"state":"in_review"}"#],
    );
    says(&printed, &[r#"[{"member":"archived","after":false}]"#]);
}

#[test]
fn a_plan_is_reviewed_in_word() {
    let printed = walk("review-in-word");
    says(&printed, &[r#"{"accepted":["c1"],"rejected":[],"open":["c2"]}"#, "One more.\nin_review\napproved\n"]);
}

#[test]
fn edits_of_several_files_are_decided_together() {
    let printed = walk("propose-together");
    says(&printed, &[r#"{"state":"proposed","plans":2}"#, "in_review\nplan_state\n"]);
    says(
        &printed,
        &[r#"{"state":"approved","by":"Bob"}"#, r#"{"state":"applied","versions":["ver_","ver_"]}"#, "undone\n"],
    );
}

#[test]
fn a_workspace_is_followed() {
    let printed = walk("change-feed");
    says(&printed, &[r#""file.created","Followed","Ada"]"#, r#""comment.created","Followed","Ada"]"#]);
    says(&printed, &[r#"["file.renamed","Followed further"]"#, r#"{"items":[],"has_more":false}"#]);
}

#[test]
fn webhooks_are_received() {
    let printed = walk("webhooks");
    let all = ["received: webhook.ping None", "received: file.created file_", "not genuine", r#""state":"active""#];
    says(&printed, &all);
    says(&printed, &[r#"["file.created","delivered",1]"#, r#"["webhook.verification","delivered",1]"#, "revoked\n"]);
}

#[test]
fn a_budget_is_edited() {
    let printed = walk("edit-a-budget");
    says(
        &printed,
        &[
            r#"["B5","=SUM(B2:B4)"]"#,
            r#"["Budget!B6","=SUM(B2:B4)","=SUM(B2:B5)"]"#,
            "formula_not_allowed",
            "'=SUM(B2:B5)",
        ],
    );
}

#[test]
fn a_note_is_downloaded() {
    says(&walk("downloads"), &["200 text/"]);
}
