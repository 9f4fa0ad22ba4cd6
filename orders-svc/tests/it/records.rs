//! What the database itself refuses from any writer.

use diesel::{prelude::*, sql_query};
use shared_model::Failure;
use shared_testing::Stage;

use crate::samples::{draft, id, order, path, stage_with};

/// Runs a statement; returns its error as text.
async fn execute(stage: &Stage, statement: String) -> Result<(), String> {
    let outcome =
        stage.context.write(move |conn| Ok(sql_query(&statement).execute(conn).map_err(Failure::from)?)).await;
    match outcome {
        Ok(1) => Ok(()),
        Ok(changed) => Err(format!("{changed} rows changed")),
        Err(error) => Err(format!("{error:?}")),
    }
}

async fn update(stage: &Stage, number: u32, change: &str) -> Result<(), String> {
    execute(stage, format!("UPDATE orders SET {change} WHERE id = '{}'", id(number))).await
}

#[shared_testing::test]
async fn the_database_refuses_wrong_sums_states_and_currencies() {
    let stage = stage_with(&[order("ada", 1)]).await;
    for change in [
        "total_minor = total_minor + 1",
        "subtotal_minor = subtotal_minor + 1",
        "tax_minor = -1",
        "paid_minor = total_minor + 1",
        "refunded_minor = paid_minor + 1",
        "refunded_minor = -1",
        "due_minor = due_minor + 1",
        "discount_minor = -1",
        "discount_minor = subtotal_minor + 1",
        "currency = 'EUR'",
        "state = 'shipped'",
        "state = 'draft'",
        "state = 'completed'",
        "state = 'cancelled'",
        "completed_at = updated_at",
        "updated_at = placed_at - 1",
        "lines = NULL",
    ] {
        let refused = update(&stage, 1, &format!("version = version + 1, {change}")).await.expect_err(change);
        let refused = refused.to_lowercase();
        assert!(refused.contains("check") || refused.contains("null"), "{change}: {refused}");
    }
    update(&stage, 1, "version = version + 1, due_minor = total_minor - paid_minor").await.expect("they hold");
    stage.caller("ada").get(path(1)).await.status(200);
}

#[shared_testing::test]
async fn an_order_is_kept_with_its_name_and_the_time_it_was_placed() {
    let stage = stage_with(&[order("ada", 1)]).await;
    for change in [
        "version = version",
        "version = version - 1",
        "version = version + 1, owner = 'bob'",
        "version = version + 1, number = 'FF-9'",
        "version = version + 1, placed_at = placed_at - 1",
        "version = version + 1, placed_at = NULL",
    ] {
        let refused = update(&stage, 1, change).await.expect_err(change);
        assert!(refused.contains("an order keeps its id, owner, number and placed_at"), "{change}: {refused}");
    }
    let refused = execute(&stage, format!("DELETE FROM orders WHERE id = '{}'", id(1))).await.expect_err("kept");
    assert!(refused.contains("an order is never deleted"), "{refused}");
    assert_eq!(stage.count("orders"), 1);
}

#[shared_testing::test]
async fn stored_versions_are_not_overwritten() {
    const COPIED: &str = "owner, state, version + 1, currency, subtotal_minor, discount_minor, tax_minor, total_minor, \
        paid_minor, refunded_minor, due_minor, lines, payment, timeline, subscription_id, room_id, placed_at, \
        updated_at, completed_at, cancelled_at FROM orders WHERE number = 'FF-1'";
    let stage = stage_with(&[order("ada", 1), order("ada", 2)]).await;
    let columns = format!("id, number, {}", COPIED.split_once(" FROM").expect("columns").0.replace(" + 1", ""));
    let mut over = vec![
        format!("INSERT INTO orders ({columns}) SELECT id, 'FF-9', {COPIED}"),
        format!("INSERT INTO orders ({columns}) SELECT '{}', number, {COPIED}", id(9)),
    ];
    if stage.context.settings.database_url.starts_with("sqlite") {
        over.extend([
            format!("INSERT OR REPLACE INTO orders ({columns}) SELECT id, 'FF-9', {COPIED}"),
            format!("INSERT OR REPLACE INTO orders ({columns}) SELECT '{}', number, {COPIED}", id(9)),
            format!("INSERT OR REPLACE INTO orders (rowid, {columns}) SELECT rowid, '{}', 'FF-9', {COPIED}", id(9)),
            format!("REPLACE INTO orders ({columns}) SELECT id, number, {COPIED}"),
            "UPDATE OR REPLACE orders SET version = version + 1, \
                 rowid = (SELECT rowid FROM orders WHERE number = 'FF-1') WHERE number = 'FF-2'"
                .to_owned(),
        ]);
    }
    for statement in over {
        let refused = execute(&stage, statement.clone()).await.expect_err(&statement);
        let known = ["an order is recorded once", "an order keeps its id", "unique constraint"];
        assert!(known.iter().any(|words| refused.contains(words)), "{statement}: {refused}");
    }
    let ada = stage.caller("ada");
    for number in [1, 2] {
        assert_eq!(ada.get(path(number)).await.status(200)["data"]["version"], 3);
    }
    execute(&stage, format!("INSERT INTO orders ({columns}) SELECT '{}', 'FF-9', {COPIED}", id(9))).await.expect("new");
    assert_eq!(stage.count("orders"), 3);
}

#[shared_testing::test]
async fn a_timeline_only_grows() {
    let stage = stage_with(&[order("ada", 1), draft("ada", 2)]).await;
    // In the form that the service writes.
    let step =
        |state: &str, minute: u32| format!(r#"{{"state":"{state}","at":"2026-11-01T09:{minute:02}:00.000000Z"}}"#);
    let timeline = |steps: &[&str]| format!("[{}]", steps.join(","));
    let steps =
        [step("placed", 0), step("awaiting_payment", 0), step("paid", 4), step("provisioning", 5), step("paid", 6)];
    let [placed, awaiting, paid, provisioning, later] = steps.each_ref().map(String::as_str);
    for other in [
        timeline(&[]),
        timeline(&[placed, awaiting, paid]),
        timeline(&[placed, awaiting, paid, later]),
        timeline(&[awaiting, placed, paid, provisioning]),
        timeline(&[placed, awaiting, paid, provisioning, later])[1..].to_owned(),
    ] {
        let change = format!("version = version + 1, timeline = '{other}'");
        let refused = update(&stage, 1, &change).await.expect_err(&other);
        assert!(refused.contains("the timeline of an order only grows"), "{other}: {refused}");
    }
    let longer = timeline(&[placed, awaiting, paid, provisioning, later]);
    update(&stage, 1, &format!("version = version + 1, timeline = '{longer}'")).await.expect("it grows");
    update(&stage, 2, "version = version + 1, timeline = '[]'").await.expect("nothing of a draft is on record");
}
