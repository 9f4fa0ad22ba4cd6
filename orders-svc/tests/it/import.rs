//! `orders-svc import`.

use orders_svc::service;
use serde_json::json;
use shared_runtime::import::Tally;
use shared_testing::{Stage, run};

use crate::samples::{draft, id, import, order, path, stage_with};

#[test]
fn the_same_lines_again_change_nothing() {
    run(async {
        let stage = Stage::of(service()).await;
        let lines: Vec<_> = (1..=150).map(|number| order("ada", number)).collect();
        assert_eq!(import(&stage, &lines).await.0, Tally { added: 150, ..Tally::default() });
        assert_eq!(import(&stage, &lines).await.0, Tally { unchanged: 150, ..Tally::default() });
    });
}

#[test]
fn a_higher_version_takes_the_place_and_a_contradiction_is_refused() {
    run(async {
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
        assert_eq!(tally, Tally { replaced: 1, refused: 5, ..Tally::default() });
        insta::assert_debug_snapshot!(bad, @r#"
        [
            (
                2,
                "version 3 is stale: version 4 is recorded",
            ),
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
        let told = stage.caller("ada").get(path(1)).await.status(200);
        assert_eq!((&told["data"]["version"], &told["data"]["payment"]["reference"]), (&json!(4), &json!("pi_1")));
    });
}

#[test]
fn a_bad_line_is_told_by_its_number_and_leaves_nothing_behind() {
    run(async {
        let stage = Stage::of(service()).await;
        let mut unbalanced = order("ada", 2);
        unbalanced["order"]["amounts"]["total_minor"] = json!(1);
        let (tally, bad) = import(&stage, &[order("ada", 1), unbalanced, json!([]), order("ada", 3)]).await;
        assert_eq!(tally, Tally { added: 2, refused: 2, ..Tally::default() });
        insta::assert_debug_snapshot!(bad, @r#"
        [
            (
                2,
                "/order must have subtotal less discount plus tax as total_minor; /order must not have more paid than its total; /order must have total less paid as due_minor, and 0 once it is void; /order must have a payment status that its paid_minor bears out",
            ),
            (
                3,
                "must be an object",
            ),
        ]
        "#);
        stage.caller("ada").get(path(2)).await.refused(404, "not_found");
        stage.caller("ada").get(path(3)).await.status(200);
    });
}

#[test]
fn the_database_itself_refuses_sums_that_do_not_add_up() {
    use diesel::{prelude::*, sql_query};

    run(async {
        let stage = stage_with(&[order("ada", 1)]).await;
        for change in [
            "total_minor = total_minor + 1",
            "paid_minor = total_minor + 1",
            "refunded_minor = paid_minor + 1",
            "due_minor = due_minor + 1",
            "discount_minor = -1",
            "currency = 'EUR'",
            "state = 'draft'",
            "state = 'completed'",
            "version = 0",
            "number = NULL",
        ] {
            let statement = format!("UPDATE orders SET {change} WHERE id = '{}'", id(1));
            let changed = stage.desk.write(move |conn| Ok(sql_query(&statement).execute(conn)?)).await;
            assert!(changed.is_err(), "{change}");
        }
        stage.caller("ada").get(path(1)).await.status(200);
    });
}
