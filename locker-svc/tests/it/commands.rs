//! `locker-svc` at the command line, beside a service that runs on the same database.

use std::process::Output;

use locker_svc::service;
use serde_json::{Value, json};
use shared_testing::Stage;

use crate::{
    command_line::{command, locker, output_text},
    samples::{self, id},
};

fn import(stage: &Stage, text: &str) -> Output {
    let file = stage.folder().join("import.jsonl");
    std::fs::write(&file, text).expect("the file is written");
    locker(stage, &["import", &file.display().to_string()])
}

/// The JSON objects that a command has printed, one a line.
fn printed(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", output_text(output));
    let lines = String::from_utf8_lossy(&output.stdout);
    lines.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

/// The JSON object that a command has printed.
pub fn printed_whole(output: &Output) -> Value {
    assert!(output.status.success(), "{}", output_text(output));
    serde_json::from_slice(&output.stdout).expect("a JSON object")
}

#[shared_testing::test]
async fn an_imported_file_is_served_at_once() {
    let stage = Stage::of(service()).await;
    let lines = [samples::catalogue_line(&samples::catalogue()), samples::subscription("ada", 1, 0)];
    let output = import(&stage, &lines.map(|line| line.to_string()).join("\n"));
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(output_text(&output).contains("2 added, 0 replaced, 0 unchanged, 0 refused"), "{}", output_text(&output));
    stage.anyone().get("/api/v1/catalogue").await.status(200);
    let listed = stage.caller("ada").get("/api/v1/billing/subscriptions").await.status(200);
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(1));
}

#[shared_testing::test]
async fn an_import_with_bad_lines_names_each_and_exits_with_one() {
    let stage = Stage::of(service()).await;
    let mut snapshot = samples::catalogue();
    snapshot["currency"] = json!("EUR");
    snapshot["products"][1]["sku"] = json!("room-s");
    let lines = [samples::subscription("ada", 1, 0), samples::catalogue_line(&snapshot), json!("nonsense")];
    let output = import(&stage, &lines.map(|line| line.to_string()).join("\n"));
    assert_eq!(output.status.code(), Some(1));
    for part in ["line 2: /catalogue/currency ", "; /catalogue/products/1 ", "line 3: ", "nothing is imported"] {
        assert!(output_text(&output).contains(part), "{}", output_text(&output));
    }
    stage.anyone().get("/api/v1/catalogue").await.refused(503, "catalogue_unavailable");
    let listed = stage.caller("ada").get("/api/v1/billing/subscriptions").await.status(200);
    assert_eq!(listed["data"], json!([]));
    assert_eq!(locker(&stage, &["import", "/no/such/file"]).status.code(), Some(1));
}

#[shared_testing::test]
async fn what_is_listed_can_be_imported_again() {
    let stage = Stage::of(service()).await;
    let lines: Vec<_> = (1..=3).map(|n| samples::subscription(if n == 3 { "bob" } else { "ada" }, n, n)).collect();
    samples::import(&stage, &lines).await.expect("good lines");
    let all = locker(&stage, &["subscription", "list"]);
    assert_eq!(printed(&all).len(), 3);
    let again = import(&stage, &String::from_utf8_lossy(&all.stdout));
    assert!(output_text(&again).contains("3 unchanged"), "{}", output_text(&again));
    let of_bob = printed(&locker(&stage, &["subscription", "list", "--owner", "bob", "--state", "active"]));
    assert_eq!(of_bob.len(), 1);
    assert_eq!(printed(&locker(&stage, &["subscription", "show", &id("sub", 3)])), of_bob);
    assert_eq!(locker(&stage, &["subscription", "show", &id("sub", 4)]).status.code(), Some(1));
    assert_eq!(printed(&locker(&stage, &["subscription", "list", "--state", "cancelled"])), [] as [Value; 0]);
}

#[shared_testing::test]
async fn an_operator_moves_a_subscription_through_its_states() {
    let stage = Stage::of(service()).await;
    samples::import(&stage, &[samples::subscription("ada", 1, 0)]).await.expect("a good line");
    let sub = id("sub", 1);
    let set =
        |state: &str, more: &[&str]| locker(&stage, &[&["subscription", "set-state", &sub, state], more].concat());
    let refused = |output: Output, why: &str| {
        assert_eq!(output.status.code(), Some(1));
        assert!(output_text(&output).contains(why), "{}", output_text(&output));
    };
    refused(set("suspended", &[]), "active cannot become suspended. Possible states: past_due, cancelled.");
    refused(set("past_due", &["--version", "7"]), "is in version 2, not 7");
    let late = printed(&set("past_due", &["--version", "2"])).remove(0);
    assert_eq!((&late["subscription"]["version"], &late["subscription"]["state"]), (&json!(3), &json!("past_due")));
    assert_eq!(late["subscription"]["current_period_end"], "2026-12-01T00:00:00.000000Z");
    assert_eq!(printed(&set("past_due", &[])), std::slice::from_ref(&late), "it is that already");
    let caught_up = printed(&set("active", &[])).remove(0);
    assert_eq!(caught_up["subscription"]["version"], 4);
    for at in ["current_period_start", "current_period_end"] {
        assert_eq!(caught_up["subscription"][at], late["subscription"][at], "it has paid for the month that had begun");
    }
    printed(&set("past_due", &[]));
    printed(&set("suspended", &[]));
    let paid = printed(&set("active", &[])).remove(0);
    assert_eq!(paid["subscription"]["version"], 7);
    assert_eq!(paid["subscription"]["current_period_start"], paid["subscription"]["updated_at"], "a month from now on");
    let period = ["--period-start", "2027-01-01T00:00:00Z", "--period-end", "2027-02-01T00:00:00Z"];
    let renewed = printed(&set("active", &period)).remove(0);
    assert_eq!(renewed["subscription"]["version"], 8);
    assert_eq!(renewed["subscription"]["current_period_end"], "2027-02-01T00:00:00.000000Z");
    assert_eq!(printed(&set("active", &period)), [renewed], "a repeated renewal is no second one");
    let over = printed(&set("cancelled", &[])).remove(0);
    assert_eq!(over["subscription"]["cancelled_at"], over["subscription"]["updated_at"]);
    refused(set("active", &[]), "cancelled is a final state and never changes.");
    let later = ["--period-start", "2027-02-01T00:00:00Z", "--period-end", "2027-03-01T00:00:00Z"];
    refused(set("cancelled", &later), "cancelled is a final state and never changes.");
    let listed = stage.caller("ada").get("/api/v1/billing/subscriptions").await.status(200);
    assert_eq!(listed["data"], json!([over["subscription"]]));
}

#[shared_testing::test]
async fn an_import_whose_output_nobody_reads_ends_normally() {
    let stage = Stage::of(service()).await;
    let file = stage.folder().join("import.jsonl");
    for (text, code) in [(samples::subscription("ada", 1, 0).to_string(), 0), ("nonsense\n".repeat(9), 1)] {
        std::fs::write(&file, text).expect("the file is written");
        let (nobody, stderr) = std::io::pipe().expect("a pipe");
        drop(nobody);
        let mut command = command(&stage, &["import", &file.display().to_string()]);
        assert_eq!(command.stderr(stderr).status().expect("the command runs").code(), Some(code));
    }
    assert_eq!(stage.count("subscriptions"), 1);
}
