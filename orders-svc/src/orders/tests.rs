//! The rules of orders, as imported lines meet them.

use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};
use shared_model::{Currency, Problem, Timestamp, json_column::Json};

use super::{
    amounts::Amounts,
    import::parse_line,
    order::{Order, OrderLine, OrderRecord, Payment, PaymentStatus, TimelineStep},
    state::OrderState,
    transition::MoveDetails,
};
use crate::ids::{OrderId, RoomId, SubscriptionId};

fn sample() -> Value {
    json!({"owner": "ada", "order": {
        "schema": "service/order/v1", "id": format!("ord_{}", "1".repeat(32)), "number": "FF-1001",
        "state": "paid", "version": 2, "currency": "GBP",
        "amounts": {"subtotal_minor": 5000, "discount_minor": 500, "tax_minor": 900, "total_minor": 5400,
                    "paid_minor": 5400, "refunded_minor": 0, "due_minor": 0},
        "lines": [{"sku": "room-s", "name": "Small room", "quantity": 2, "unit_minor": 2500, "total_minor": 5000}],
        "payment": {"method": "card", "status": "paid", "reference": "pi_1"},
        "placed_at": "2026-11-01T09:00:00Z", "updated_at": "2026-11-01T09:05:00Z",
        "timeline": [{"state": "placed", "at": "2026-11-01T09:00:00Z"}, {"state": "paid", "at": "2026-11-01T09:05:00Z"}],
    }})
}

fn parse(value: &Value) -> Result<OrderRecord, Vec<Problem>> {
    parse_line(value.to_string().as_bytes())
}

#[test]
fn wrong_sums_are_refused_by_name() {
    for (amount, value, rule) in [
        ("subtotal_minor", 4999, "sum of its lines"),
        ("discount_minor", 5001, "discount above"),
        ("total_minor", 5401, "plus tax as total_minor"),
        ("paid_minor", 5401, "more paid than its total"),
        ("refunded_minor", 5401, "more refunded"),
        ("due_minor", 1, "as due_minor"),
        ("paid_minor", 5399, "payment status"),
    ] {
        let mut line = sample();
        line["order"]["amounts"][amount] = json!(value);
        let problems = parse(&line).expect_err("a contradiction");
        assert!(problems.iter().any(|problem| problem.rule.contains(rule)), "{amount}: {problems:?}");
    }
    let mut line = sample();
    line["order"]["lines"][0]["quantity"] = json!(3);
    assert_eq!(parse(&line).expect_err("a contradiction").len(), 1);
}

#[test]
fn an_order_and_its_timeline_must_agree() {
    let mut elsewhere = sample();
    elsewhere["order"]["timeline"][1]["state"] = json!("awaiting_payment");
    let mut leap = sample();
    leap["order"]["timeline"][0]["state"] = json!("completed");
    let mut backwards = sample();
    backwards["order"]["timeline"][0]["at"] = json!("2026-11-02T09:00:00Z");
    let mut unplaced = sample();
    unplaced["order"]["placed_at"] = json!(null);
    let mut cancelled = sample();
    cancelled["order"]["cancelled_at"] = json!("2026-11-01T09:05:00Z");
    let mut completed = sample();
    completed["order"]["completed_at"] = json!("2026-11-01T09:05:00Z");
    for line in [elsewhere, leap, backwards, unplaced, cancelled, completed] {
        assert_eq!(parse(&line).expect_err("a contradiction").len(), 1, "{line}");
    }
}

#[test]
fn times_and_amounts_of_an_order_must_match_its_state() {
    let (before, after) = ("2026-11-01T08:59:59Z", "2026-11-01T09:06:00Z");
    let ended = |state: &str, since: &str| {
        let mut line = sample();
        line["order"]["state"] = json!(state);
        line["order"]["updated_at"] = json!(after);
        line["order"][format!("{state}_at")] = json!(since);
        line["order"]["timeline"].as_array_mut().expect("steps").push(json!({"state": state, "at": after}));
        line
    };
    let mut stale = sample();
    stale["order"]["updated_at"] = json!("2026-11-01T09:04:59Z");
    let mut early = sample();
    early["order"]["timeline"][0]["at"] = json!(before);
    let mut gift = sample();
    gift["order"]["amounts"]["paid_minor"] = json!(0);
    gift["order"]["amounts"]["due_minor"] = json!(5400);
    gift["order"]["payment"]["status"] = json!("pending");
    let mut part = gift.clone();
    part["order"]["amounts"]["paid_minor"] = json!(1);
    part["order"]["amounts"]["due_minor"] = json!(5399);
    let mut kept = ended("refunded", after);
    kept["order"].as_object_mut().expect("an order").remove("refunded_at");
    let mut returned = kept.clone();
    returned["order"]["amounts"]["refunded_minor"] = json!(1);
    for (line, rule) in [
        (ended("completed", before), "completed before it was placed"),
        (ended("cancelled", before), "cancelled before it was placed"),
        (stale, "before the last step"),
        (early, "before it was placed"),
        (gift, "something paid"),
        (kept, "something refunded"),
    ] {
        let problems = parse(&line).expect_err(rule);
        assert!(problems.len() == 1 && problems[0].rule.contains(rule), "{rule}: {problems:?}");
    }
    for line in [ended("completed", after), ended("cancelled", after), part, returned] {
        assert_eq!(parse(&line).err(), None, "{line}");
    }
}

#[test]
fn deceptive_text_is_refused() {
    for deceptive in ["evil\u{202e}gpj", "\u{200b}", " ada", "ada ", "ada\u{2003}", "a\tb", "a\nb"] {
        let mut line = sample();
        line["owner"] = json!(deceptive);
        line["order"]["lines"][0]["name"] = json!(deceptive);
        line["order"]["timeline"][1]["note"] = json!(deceptive);
        let problems = parse(&line).expect_err(deceptive);
        let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(places, ["/owner", "/order/lines/0/name", "/order/timeline/1/note"], "{deceptive:?}");
        assert!(problems.iter().all(|problem| !problem.rule.contains("tab")), "{problems:?}");
    }
}

#[test]
fn every_problem_of_a_line_is_reported_with_its_pointer() {
    let mut line = sample();
    line["owner"] = json!(7);
    line["order"]["schema"] = json!("service/order/v2");
    line["order"]["lines"][0]["sku"] = json!("");
    line["order"]["note"] = json!("be quick");
    let places: Vec<_> = parse(&line).expect_err("four problems").into_iter().map(|problem| problem.at).collect();
    assert_eq!(places, ["/owner", "/order/schema", "/order/lines/0/sku", "/order/note"]);
}

prop_compose! {
    fn orders()(
        id in any::<[u8; 16]>(),
        ids in proptest::option::of(any::<[u8; 16]>()),
        state in select(OrderState::ALL).prop_map(|(_, state)| state),
        version in prop_oneof![1..=9_007_199_254_740_991_i64, 9_007_199_254_740_988..=9_007_199_254_740_991_i64],
        prices in proptest::collection::vec((1..=1_000_000_i64, 0..=1_000_000_i64), 1..5),
        tax_minor in 0..=1_000_000_i64,
        at in 0..=253_402_300_799_999_999_i64,
        paid in 0.0..=1.0_f64,
    ) -> Order {
        let at = Timestamp::from_micros(at);
        let lines: Vec<_> = prices.iter().enumerate().map(|(index, (quantity, unit_minor))| OrderLine {
            id: (index % 2 == 0).then(|| index.to_string()),
            sku: format!("sku-{index}"),
            name: "Räume für Ada".to_owned(),
            quantity: *quantity,
            unit_minor: *unit_minor,
            total_minor: quantity * unit_minor,
        }).collect();
        let subtotal_minor: i64 = lines.iter().map(|line| line.total_minor).sum();
        let discount_minor = subtotal_minor / 10;
        let total_minor = subtotal_minor - discount_minor + tax_minor;
        let is_paid = matches!(state.as_str(), "paid" | "provisioning" | "completed");
        let paid_minor = ((total_minor as f64 * paid) as i64).max(i64::from(is_paid && total_minor > 0));
        let due_minor = if matches!(state.as_str(), "cancelled" | "expired" | "failed" | "refunded") { 0 }
            else { total_minor - paid_minor };
        Order {
            id: OrderId::from_bytes(id),
            number: "FF-1".to_owned(),
            state,
            version,
            currency: Currency::Gbp,
            amounts: Amounts {
                subtotal_minor, discount_minor, tax_minor, total_minor, paid_minor, refunded_minor: paid_minor - paid_minor / 2,
                due_minor,
            },
            lines: Json(lines),
            payment: Json(Payment { method: "card".to_owned(), status: PaymentStatus::Pending, reference: None }),
            subscription_id: ids.map(SubscriptionId::from_bytes),
            room_id: ids.map(RoomId::from_bytes),
            placed_at: (state != OrderState::Draft).then_some(at),
            updated_at: at,
            completed_at: (state == OrderState::Completed).then_some(at),
            cancelled_at: (state == OrderState::Cancelled).then_some(at),
            timeline: Json(vec![TimelineStep { state, at, note: ids.map(|_| "As agreed.".to_owned()) }]),
        }
    }
}

proptest! {
    #[test]
    fn an_order_that_was_read_can_be_imported_again(order in orders(), owner in "[a-z|@.]{1,30}") {
        let line = json!({"owner": owner, "order": order});
        prop_assert_eq!(parse(&line), Ok(OrderRecord { owner, order }));
    }

    #[test]
    fn an_imported_and_moved_order_can_be_imported_again(
        order in orders(),
        path in proptest::collection::vec((select(OrderState::ALL), 0..253_402_300_799_999_999_i64), 0..60),
    ) {
        let mut order = order;
        for ((_, state), at) in path {
            if let Ok(moved) = order.clone().in_state(state, MoveDetails::default(), Timestamp::from_micros(at)) {
                order = moved;
                let line = json!({"owner": "ada", "order": order});
                prop_assert_eq!(parse(&line), Ok(OrderRecord { owner: "ada".to_owned(), order: order.clone() }));
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(parse_line(&line).is_err());
    }

    #[test]
    fn arbitrary_amounts_never_panic(amounts in proptest::collection::vec(any::<i64>(), 7), prices in any::<(i64, i64, i64)>()) {
        let mut line = sample();
        for (amount, value) in line["order"]["amounts"].as_object_mut().expect("an object").values_mut().zip(amounts) {
            *amount = json!(value.unsigned_abs() >> 11);
        }
        line["order"]["lines"][0]["quantity"] = json!(prices.0.unsigned_abs() >> 44);
        line["order"]["lines"][0]["unit_minor"] = json!(prices.1.unsigned_abs() >> 11);
        line["order"]["lines"][0]["total_minor"] = json!(prices.2.unsigned_abs() >> 11);
        prop_assert!(parse(&line).is_err());
    }
}

#[test]
fn the_example_of_the_document_is_a_valid_order() {
    let schema = serde_json::to_value(<Order as utoipa::PartialSchema>::schema()).expect("a schema is JSON");
    assert_eq!(parse(&json!({"owner": "ada", "order": schema["examples"][0]})).err(), None);
}
