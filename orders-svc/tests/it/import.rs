//! `orders-svc import`.

use orders_svc::{orders::importer, service};
use serde_json::{Value, json};
use shared_runtime::import::{Mode, Tally};
use shared_testing::Stage;

use crate::samples::{draft, import, order, path, stage_with};

#[shared_testing::test]
async fn the_same_lines_again_change_nothing() {
    let stage = Stage::of(service()).await;
    let lines: Vec<_> = (1..=150).map(|number| order("ada", number)).collect();
    assert_eq!(import(&stage, &lines).await.0, Tally { added: 150, ..Tally::default() });
    assert_eq!(import(&stage, &lines).await.0, Tally { unchanged: 150, ..Tally::default() });
}

#[shared_testing::test]
async fn a_higher_version_replaces_the_stored_one_and_a_contradiction_is_refused() {
    let stage = stage_with(&[draft("ada", 1)]).await;
    let mut placed = order("ada", 1);
    placed["order"]["version"] = json!(4);
    let mut other_content = placed.clone();
    other_content["order"]["payment"]["reference"] = json!("pi_2");
    let mut other_owner = placed.clone();
    other_owner["owner"] = json!("bob");
    let mut other_number = placed.clone();
    other_number["order"]["number"] = json!("FF-9");
    let mut same_number = order("ada", 2);
    same_number["order"]["number"] = json!("FF-1");
    let (tally, bad) =
        import(&stage, &[placed, draft("ada", 1), other_content, other_owner, other_number, same_number]).await;
    assert_eq!(tally, Tally { replaced: 1, superseded: 1, refused: 4, ..Tally::default() });
    insta::assert_debug_snapshot!(bad, @r#"
    [
        (
            3,
            "version 4 is recorded with other content: a change needs a higher version",
        ),
        (
            4,
            "an order never changes its owner or number",
        ),
        (
            5,
            "an order never changes its owner or number",
        ),
        (
            6,
            "another order has this number",
        ),
    ]
    "#);
    let response = stage.caller("ada").get(path(1)).await.status(200);
    assert_eq!((&response["data"]["version"], &response["data"]["payment"]["reference"]), (&json!(4), &json!("pi_1")));
}

#[shared_testing::test]
async fn a_file_with_several_versions_of_an_order_is_simply_run_again() {
    let stage = Stage::of(service()).await;
    let version = |number: u64, steps: usize, states: &[&str]| {
        let mut line = order("ada", 1);
        line["order"]["version"] = json!(number);
        line["order"]["state"] = json!(states[steps - 1]);
        line["order"]["timeline"].as_array_mut().expect("steps").truncate(steps);
        line
    };
    let states = ["placed", "awaiting_payment", "paid", "provisioning"];
    let file = [draft("ada", 1), version(5, 3, &states), version(6, 4, &states)];
    assert_eq!(import(&stage, &file).await, (Tally { added: 1, replaced: 2, ..Tally::default() }, vec![]));
    let again = Tally { unchanged: 1, superseded: 2, ..Tally::default() };
    assert_eq!(again.to_string(), "0 added, 0 replaced, 1 unchanged, 2 older than the stored record, 0 refused");
    assert_eq!(import(&stage, &file).await, (again, vec![]));
    assert_eq!(stage.caller("ada").get(path(1)).await.status(200)["data"]["version"], 6);

    let mut another_past = version(5, 3, &states);
    another_past["order"]["timeline"][1]["at"] = json!("2026-11-01T09:00:01Z");
    let bad = import(&stage, &[another_past]).await.1;
    assert_eq!(bad, [(1, "version 5 is stale: version 6 is recorded".to_owned())]);
}

#[shared_testing::test]
async fn a_bad_line_is_reported_by_its_number_and_changes_nothing() {
    let stage = Stage::of(service()).await;
    let mut unbalanced = order("ada", 2);
    unbalanced["order"]["amounts"]["total_minor"] = json!(1);
    let (tally, bad) = import(&stage, &[order("ada", 1), unbalanced, json!([]), order("ada", 3)]).await;
    assert_eq!(tally, Tally { added: 2, refused: 2, ..Tally::default() });
    insta::assert_debug_snapshot!(bad, @r#"
    [
        (
            2,
            "/order must have subtotal minus discount plus tax as total_minor; /order must not have more paid than its total; /order must have total minus paid as due_minor, or 0 when it is cancelled, expired, failed or refunded; /order must have a payment status that matches its paid_minor",
        ),
        (
            3,
            "must be an object",
        ),
    ]
    "#);
    stage.caller("ada").get(path(2)).await.refused(404, "not_found");
    stage.caller("ada").get(path(3)).await.status(200);
}

#[shared_testing::test]
async fn a_placed_order_keeps_its_placed_at_and_its_timeline() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let mut moved = order("ada", 1);
    moved["order"]["version"] = json!(4);
    moved["order"]["placed_at"] = json!("2026-10-01T09:00:00Z");
    let mut shorter = order("ada", 1);
    shorter["order"]["version"] = json!(4);
    shorter["order"]["timeline"].as_array_mut().expect("steps").remove(0);
    let (tally, bad) = import(&stage, &[moved, shorter]).await;
    assert_eq!(tally, Tally { refused: 2, ..Tally::default() });
    assert_eq!(
        bad.into_iter().map(|(_, why)| why).collect::<Vec<_>>(),
        ["placed_at of an order never changes", "a timeline can only grow: it must begin with the 4 stored steps"]
    );
}

#[shared_testing::test]
async fn lines_of_one_batch_have_the_same_effect_as_one_by_one() {
    let stage = Stage::of(service()).await;
    let mut second = order("ada", 1);
    second["order"]["version"] = json!(4);
    second["order"]["updated_at"] = json!("2026-11-01T09:06:00Z");
    let mut same_number = order("ada", 2);
    same_number["order"]["number"] = json!("FF-1");
    let lines = [draft("ada", 1), second.clone(), draft("ada", 1), second, same_number.clone(), order("ada", 3)];
    let (tally, bad) = import(&stage, &lines).await;
    assert_eq!(tally, Tally { added: 2, replaced: 1, unchanged: 1, superseded: 1, refused: 1 });
    assert_eq!(bad.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5]);
    let response = stage.caller("ada").get(path(1)).await.status(200);
    assert_eq!(response["data"]["version"], 4);
}

#[shared_testing::test]
async fn a_strict_import_is_all_or_nothing() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let strictly = async |lines: &[Value]| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let imported = importer().run_text(&stage.context, text, Mode::AllOrNothing).await;
        let (tally, bad) = imported.expect("the import runs");
        (tally, bad.into_iter().map(|(line, _)| line).collect::<Vec<_>>())
    };
    let refused = |refused| Tally { refused, ..Tally::default() };
    let good: Vec<_> = (2..=1500).map(|number| order("ada", number)).collect();

    let mut bad_in_itself = good.clone();
    bad_in_itself.insert(3, json!({"owner": "ada"}));
    bad_in_itself.push(json!([]));
    assert_eq!(strictly(&bad_in_itself).await, (refused(2), vec![4, 1501]));

    let mut contradicts_the_database = good.clone();
    contradicts_the_database.push(draft("ada", 1));
    assert_eq!(strictly(&contradicts_the_database).await, (refused(1), vec![1500]));

    let mut contradicts_itself = good.clone();
    let mut same_number = order("ada", 2000);
    same_number["order"]["number"] = json!("FF-2");
    contradicts_itself.push(same_number);
    assert_eq!(strictly(&contradicts_itself).await, (refused(1), vec![1500]));
    assert_eq!(stage.count("orders"), 1, "nothing of the three files");

    assert_eq!(strictly(&good).await, (Tally { added: 1499, ..Tally::default() }, vec![]));
    assert_eq!(strictly(&good).await, (Tally { unchanged: 1499, ..Tally::default() }, vec![]));
    assert_eq!(stage.count("orders"), 1500);
}
