//! The intake of orders: `{"owner": "…", "order": {…}}`, one object a line.

use shared_model::{Currency, FromJson, Node, Problem};
use shared_runtime::{
    Conn, Failure,
    import::{
        self, Importer, Outcome,
        field::{line, minor, moment, nullable, owner, sku, version},
    },
};

use super::{Amounts, Line, Order, OrderState, Payment, PaymentStatus, Schema, Step, store};
use crate::ids::{OrderId, RoomId, SubscriptionId};

/// One line: an order in the shape in which it is read, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The `sub` of the owner grants that may read it.
    pub owner: String,
    /// The order.
    pub order: Order,
}

/// Reads and records lines of [`Record`]s. Version by version: the same again is no change, a lower one is refused.
pub const IMPORTER: Importer<Record> = Importer { parse: parse_line, record };

/// Reads one line; all its problems at once.
pub fn parse_line(line: &[u8]) -> Result<Record, Vec<Problem>> {
    import::parse_line(line, |node| {
        node.object(|members| {
            let owner = members.required("owner", owner);
            let order = members.required("order", Order::from_json);
            Some(Record { owner: owner?, order: order? })
        })
    })
}

fn record(conn: &mut Conn, incoming: &Record) -> Result<Outcome, Failure> {
    let recorded = store::find(conn, incoming.order.id)?;
    if let Some(recorded) = &recorded {
        if recorded.owner != incoming.owner || recorded.order.number != incoming.order.number {
            return Ok(Outcome::Refused("an order never changes its owner or number".to_owned()));
        }
        let known = (&recorded.order, recorded.order.version);
        if let Some(outcome) = import::against(known, (&incoming.order, incoming.order.version)) {
            return Ok(outcome);
        }
        store::replace(conn, incoming)?;
        return Ok(Outcome::Replaced);
    }
    if store::find_number(conn, &incoming.order.number)?.is_some() {
        return Ok(Outcome::Refused("another order has this number".to_owned()));
    }
    store::insert(conn, incoming)?;
    Ok(Outcome::Added)
}

impl FromJson for Order {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let schema = members.required("schema", Schema::from_json);
            let id = members.required("id", OrderId::from_json);
            let number = members.required("number", |node| line(node, 64));
            let state = members.required("state", OrderState::from_json);
            let version = members.required("version", version);
            let currency = members.required("currency", Currency::from_json);
            let amounts = members.required("amounts", Amounts::from_json);
            let lines = members.required("lines", |node| node.array(1..=200, Line::from_json));
            let payment = members.required("payment", Payment::from_json);
            let subscription_id = members.optional("subscription_id", |node| nullable(node, SubscriptionId::from_json));
            let room_id = members.optional("room_id", |node| nullable(node, RoomId::from_json));
            let placed_at = members.optional("placed_at", |node| nullable(node, moment));
            let updated_at = members.required("updated_at", moment);
            let completed_at = members.optional("completed_at", |node| nullable(node, moment));
            let cancelled_at = members.optional("cancelled_at", |node| nullable(node, moment));
            let timeline = members.required("timeline", |node| node.array(1..=100, Step::from_json));
            let read = Self {
                schema: schema?,
                id: id?,
                number: number?,
                state: state?,
                version: version?,
                currency: currency?,
                amounts: amounts?,
                lines: lines?,
                payment: payment?,
                subscription_id: subscription_id?.flatten(),
                room_id: room_id?.flatten(),
                placed_at: placed_at?.flatten(),
                updated_at: updated_at?,
                completed_at: completed_at?.flatten(),
                cancelled_at: cancelled_at?.flatten(),
                timeline: timeline?,
            };
            for rule in read.contradictions() {
                let _: Option<()> = members.refuse(rule);
            }
            Some(read)
        })
    }
}

impl FromJson for Amounts {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let subtotal_minor = members.required("subtotal_minor", minor);
            let discount_minor = members.required("discount_minor", minor);
            let tax_minor = members.required("tax_minor", minor);
            let total_minor = members.required("total_minor", minor);
            let paid_minor = members.required("paid_minor", minor);
            let refunded_minor = members.required("refunded_minor", minor);
            let due_minor = members.required("due_minor", minor);
            Some(Self {
                subtotal_minor: subtotal_minor?,
                discount_minor: discount_minor?,
                tax_minor: tax_minor?,
                total_minor: total_minor?,
                paid_minor: paid_minor?,
                refunded_minor: refunded_minor?,
                due_minor: due_minor?,
            })
        })
    }
}

impl FromJson for Line {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let id = members.optional("id", |node| line(node, 64));
            let sku = members.required("sku", sku);
            let name = members.required("name", |node| line(node, 190));
            let quantity = members.required("quantity", |node| node.integer(1..=1_000_000));
            let unit_minor = members.required("unit_minor", minor);
            let total_minor = members.required("total_minor", minor);
            Some(Self {
                id: id?,
                sku: sku?,
                name: name?,
                quantity: quantity?,
                unit_minor: unit_minor?,
                total_minor: total_minor?,
            })
        })
    }
}

impl FromJson for Payment {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let method = members.required("method", |node| line(node, 64));
            let status = members.required("status", PaymentStatus::from_json);
            let reference = members.optional("reference", |node| line(node, 128));
            Some(Self { method: method?, status: status?, reference: reference? })
        })
    }
}

impl FromJson for Step {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let state = members.required("state", OrderState::from_json);
            let at = members.required("at", moment);
            Some(Self { state: state?, at: at? })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::select};
    use serde_json::{Value, json};
    use shared_model::Moment;

    use super::*;

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

    fn parse(value: &Value) -> Result<Record, Vec<Problem>> {
        parse_line(value.to_string().as_bytes())
    }

    #[test]
    fn sums_that_do_not_add_up_are_refused_by_name() {
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
    fn an_order_and_its_timeline_tell_the_same() {
        let mut elsewhere = sample();
        elsewhere["order"]["timeline"][1]["state"] = json!("provisioning");
        let mut backwards = sample();
        backwards["order"]["timeline"][0]["at"] = json!("2026-11-02T09:00:00Z");
        let mut unplaced = sample();
        unplaced["order"]["placed_at"] = json!(null);
        let mut cancelled = sample();
        cancelled["order"]["cancelled_at"] = json!("2026-11-01T09:05:00Z");
        let mut completed = sample();
        completed["order"]["completed_at"] = json!("2026-11-01T09:05:00Z");
        for line in [elsewhere, backwards, unplaced, cancelled, completed] {
            assert_eq!(parse(&line).expect_err("a contradiction").len(), 1, "{line}");
        }
    }

    #[test]
    fn every_problem_of_a_line_is_told_with_its_place() {
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
            version in 1..=9_007_199_254_740_991_i64,
            prices in proptest::collection::vec((1..=1_000_000_i64, 0..=1_000_000_i64), 1..5),
            tax_minor in 0..=1_000_000_i64,
            at in 0..=253_402_300_799_999_999_i64,
            paid in 0.0..=1.0_f64,
        ) -> Order {
            let at = Moment::from_micros(at);
            let lines: Vec<_> = prices.iter().enumerate().map(|(index, (quantity, unit_minor))| Line {
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
            let paid_minor = (total_minor as f64 * paid) as i64;
            let due_minor = if matches!(state.as_str(), "cancelled" | "expired" | "failed" | "refunded") { 0 }
                else { total_minor - paid_minor };
            Order {
                schema: Schema::OrderV1,
                id: OrderId::from_bytes(id),
                number: "FF-1".to_owned(),
                state,
                version,
                currency: Currency::Gbp,
                amounts: Amounts {
                    subtotal_minor, discount_minor, tax_minor, total_minor, paid_minor, refunded_minor: paid_minor / 2,
                    due_minor,
                },
                lines,
                payment: Payment { method: "card".to_owned(), status: PaymentStatus::Pending, reference: None },
                subscription_id: ids.map(SubscriptionId::from_bytes),
                room_id: ids.map(RoomId::from_bytes),
                placed_at: (state != OrderState::Draft).then_some(at),
                updated_at: at,
                completed_at: (state == OrderState::Completed).then_some(at),
                cancelled_at: (state == OrderState::Cancelled).then_some(at),
                timeline: vec![Step { state, at }],
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_read_can_be_imported_again(order in orders(), owner in "[a-z|@.]{1,30}") {
            let line = json!({"owner": owner, "order": order});
            prop_assert_eq!(parse(&line), Ok(Record { owner, order }));
        }

        #[test]
        fn arbitrary_bytes_never_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(parse_line(&line).is_err());
        }

        #[test]
        fn any_amounts_at_all_never_panic(amounts in proptest::collection::vec(any::<i64>(), 7), prices in any::<(i64, i64, i64)>()) {
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
}
