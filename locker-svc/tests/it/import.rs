//! `locker-svc import`: all of a file, or nothing and every reason why not.

use locker_svc::service;
use serde_json::{Value, json};
use shared_runtime::import::{BAD_LINES, FILE_LINES, LINE_BYTES, Tally};
use shared_testing::Stage;

use crate::samples::{catalogue, catalogue_line, id, import, import_text, subscription};

async fn listed(stage: &Stage, owner: &str) -> Value {
    let response = stage.caller(owner).get("/api/v1/billing/subscriptions?limit=100").await.status(200);
    response["data"].clone()
}

/// Subscription 1 of Ada's with other members.
fn version(number: u32, state: &str) -> Value {
    let mut line = subscription("ada", 1, 0);
    line["subscription"]["version"] = json!(number);
    line["subscription"]["state"] = json!(state);
    if state == "cancelled" {
        line["subscription"]["cancelled_at"] = json!("2026-11-20T00:00:00Z");
    }
    line
}

#[shared_testing::test]
async fn the_same_file_again_changes_nothing() {
    let mut lines: Vec<_> = (1..=150).map(|n| subscription("ada", n, n % 60)).collect();
    lines.insert(70, catalogue_line(&catalogue()));
    let stage = Stage::of(service()).await;
    assert_eq!(import(&stage, &lines).await, Ok(Tally { added: 151, ..Tally::default() }));
    let before = listed(&stage, "ada").await;
    assert_eq!(import(&stage, &lines).await, Ok(Tally { unchanged: 151, ..Tally::default() }));
    assert_eq!(listed(&stage, "ada").await, before);
    assert_eq!(stage.count("catalogue_snapshots"), 1);
}

#[shared_testing::test]
async fn one_bad_line_and_nothing_is_imported() {
    let stage = Stage::of(service()).await;
    let mut wrong = subscription("ada", 2, 0);
    wrong["subscription"]["state"] = json!("sleeping");
    wrong["subscription"]["monthly_pence"] = json!(-1);
    let text = [
        subscription("ada", 1, 0).to_string(),
        String::new(),
        wrong.to_string(),
        "{\"owner\": \"ada\"".to_owned(),
        "x".repeat(LINE_BYTES + 1),
        json!({"room": 1, "catalogue": {}, "subscription": {}}).to_string(),
        json!({"catalogue": {"currency": "EUR"}, "owner": "ada"}).to_string(),
        subscription("ada", 1, 0).to_string(),
        catalogue_line(&catalogue()).to_string(),
    ];
    let bad = import_text(&stage, &(text.join("\r\n") + "\n")).await.expect_err("six bad lines");
    insta::assert_debug_snapshot!(bad, @r#"
    [
        (
            3,
            "/subscription/state must be one of: incomplete, active, past_due, suspended, cancelled; /subscription/monthly_pence must be an integer from 0 to 9007199254740991",
        ),
        (
            4,
            "must not end before the JSON is complete (column 16)",
        ),
        (
            5,
            "the line must be at most 262144 bytes",
        ),
        (
            6,
            "must have exactly one of the members \"catalogue\", \"room\" and \"subscription\"",
        ),
        (
            7,
            "/catalogue must have the member \"state\"; /catalogue must have the member \"ordering_enabled\"; /catalogue/currency must be one of: GBP; /catalogue must have the member \"monthly_pence\"; /catalogue must have the member \"setup_pence\"; /catalogue must have the member \"products\"; /owner is not a member of this object, which takes catalogue",
        ),
        (
            8,
            "line 1 is about the same",
        ),
    ]
    "#);
    assert_eq!((stage.count("subscriptions"), stage.count("rooms"), stage.count("catalogue_snapshots")), (0, 0, 0));
}

#[shared_testing::test]
async fn problems_that_need_the_database_are_reported_with_the_others() {
    let stage = Stage::of(service()).await;
    let first = [version(3, "past_due"), subscription("ada", 2, 0), subscription("ada", 3, 0)];
    import(&stage, &first).await.expect("good lines");
    let before = listed(&stage, "ada").await;
    let mut other_content = subscription("ada", 2, 0);
    other_content["subscription"]["monthly_pence"] = json!(1);
    let mut others = subscription("bob", 3, 0);
    others["subscription"]["created_at"] = json!("2026-10-01T00:00:01Z");
    let mut foreign_room = subscription("bob", 4, 0);
    foreign_room["subscription"]["room_id"] = json!(id("room", 1));
    let lines = [version(2, "active"), other_content, others, foreign_room, json!({}), subscription("bob", 5, 0)];
    let bad = import(&stage, &lines).await.expect_err("five bad lines");
    insta::assert_debug_snapshot!(bad, @r#"
    [
        (
            1,
            "/subscription/version is stale: 3 is recorded",
        ),
        (
            2,
            "/subscription/version must be higher than 2, which is recorded with other content",
        ),
        (
            3,
            "/owner never changes; /subscription/created_at never changes; /subscription/version must be higher than 2, which is recorded with other content; /subscription/room_id is another owner's room",
        ),
        (
            4,
            "/subscription/room_id is another owner's room",
        ),
        (
            5,
            "must have exactly one of the members \"catalogue\", \"room\" and \"subscription\"",
        ),
    ]
    "#);
    assert_eq!(listed(&stage, "ada").await, before);
    assert_eq!(listed(&stage, "bob").await, json!([]));
}

#[shared_testing::test]
async fn a_higher_version_may_skip_states_but_only_along_a_path() {
    let stage = Stage::of(service()).await;
    import(&stage, &[version(2, "active")]).await.expect("a good line");
    for (number, state, why) in [
        (3, "suspended", "/subscription/state must not be suspended: that takes 2 versions after active"),
        (9, "incomplete", "/subscription/state must not be incomplete: that never follows active"),
    ] {
        assert_eq!(import(&stage, &[version(number, state)]).await, Err(vec![(1, why.to_owned())]));
    }
    for (number, state) in [(4, "suspended"), (5, "suspended"), (6, "active"), (7, "cancelled"), (8, "cancelled")] {
        let replaced = Tally { replaced: 1, ..Tally::default() };
        assert_eq!(import(&stage, &[version(number, state)]).await, Ok(replaced), "{state}");
    }
    let why = "/subscription/state must not be active: that never follows cancelled";
    assert_eq!(import(&stage, &[version(100, "active")]).await, Err(vec![(1, why.to_owned())]));
    assert_eq!(listed(&stage, "ada").await[0]["version"], 8);
}

#[shared_testing::test]
async fn files_and_their_reports_are_bounded() {
    let stage = Stage::of(service()).await;
    let blank_lines = "\n".repeat(usize::try_from(FILE_LINES).expect("few"));
    let good = subscription("ada", 1, 0);
    assert!(import_text(&stage, &blank_lines).await.is_ok());
    let bad = import_text(&stage, &format!("{blank_lines}{good}")).await.expect_err("too many lines");
    assert_eq!((bad.len(), bad[0].0), (1, FILE_LINES + 1));
    let long_lines = format!("{}\n", " ".repeat(LINE_BYTES - 1)).repeat(65);
    let bad = import_text(&stage, &long_lines).await.expect_err("too many bytes");
    assert_eq!((bad.len(), bad[0].0), (1, 65));
    let bad = import_text(&stage, &"nonsense\n".repeat(BAD_LINES + 500)).await.expect_err("nonsense");
    assert_eq!(bad.len(), BAD_LINES);
}
