//! `POST /wp-json/service-net/v1/orders`: places an order. The service computes the amounts from the lines.

use shared_model::{
    Currency, Error, Problem, Refusal, Timestamp, code,
    json_column::Json,
    rule::{Array, MINOR_MAX, MinorUnits, OneLine, Sku},
};
use shared_runtime::{Answer, Body, Caller, Context, Once};

use super::{
    amounts::{self, Amounts},
    number,
    order::{Order, OrderLine, OrderRecord, Payment, PaymentStatus, Quantity, TimelineStep},
    state::OrderState,
    store,
};
use crate::{
    ids::{OrderId, RoomId},
    ordering_switch,
    permissions::PlaceOrders,
};

shared_model::json_object! {
    /// The order to place.
    #[derive(Clone, Debug)]
    pub struct CreateOrder {
        pub lines: Vec<NewLine> as Array<NewLine, 1, 200>,
        /// The discount, in pence. Default: none.
        pub discount_minor: Option<i64> as MinorUnits,
        /// The tax, in pence. Default: none.
        pub tax_minor: Option<i64> as MinorUnits,
        pub payment_method: String as OneLine<64>,
        pub room_id: Option<RoomId>,
        /// The total that you expect, in pence. The order is refused if its total differs.
        pub expected_total_minor: Option<i64> as MinorUnits,
    }
    example = {
        "lines": [{"sku": "room-s", "name": "Small room", "quantity": 1, "unit_minor": 2900}],
        "tax_minor": 580, "payment_method": "card", "expected_total_minor": 3480
    };

    /// A line of the order. The service computes its total.
    #[derive(Clone, Debug)]
    pub struct NewLine {
        pub sku: String as Sku,
        pub name: String as OneLine<190>,
        pub quantity: i64 as Quantity,
        /// The price of one item, in pence.
        pub unit_minor: i64 as MinorUnits,
    }
}

pub async fn create(
    caller: Caller<PlaceOrders>,
    once: Once,
    Body(body): Body<CreateOrder>,
    context: Context,
) -> Result<Answer<Order>, Error> {
    // Id and time are drawn before the transaction: it may run more than once and must store the same order.
    let order = new_order(body, context.random.bytes16(), context.clock.now())?;
    let record = OrderRecord { owner: caller.subject.clone(), order };
    let links = context.clone();
    context
        .once(once, move |conn| {
            // In the same transaction: an order is never placed after ordering was closed.
            ordering_switch::must_be_open(conn)?;
            store::insert(conn, &record)?;
            let OrderRecord { order, .. } = &record;
            let location = links.href(&format!("/wp-json/service-net/v1/orders/{}", order.id));
            Ok(Answer::ok(order)?.etag(order.etag(&links.secret)).header("location", location))
        })
        .await
}

fn new_order(body: CreateOrder, id: [u8; 16], at: Timestamp) -> Result<Order, Refusal> {
    let wrong = |problems| Refusal::problems(&code::INVALID_FIELD, problems);
    let lines = with_totals(body.lines).map_err(wrong)?;
    let (discount, tax) = (body.discount_minor.unwrap_or(0), body.tax_minor.unwrap_or(0));
    let subtotal = amounts::sum(lines.iter().map(|line| line.total_minor));
    let amounts = Amounts::unpaid(subtotal, discount, tax);
    let unexpected =
        body.expected_total_minor.and_then(|expected| wrong_expectation(expected, subtotal?, discount, tax));
    // Both problems are reported at once, so that a client corrects its request in one step.
    let amounts = match (amounts, unexpected) {
        (Ok(amounts), None) => amounts,
        (amounts, unexpected) => {
            return Err(wrong(amounts.err().into_iter().chain(unexpected).collect()));
        }
    };
    Ok(Order {
        id: OrderId::from_bytes(id),
        number: number::from_id(id),
        state: OrderState::Placed,
        version: 1,
        currency: Currency::Gbp,
        amounts,
        lines: Json(lines),
        payment: Json(Payment { method: body.payment_method, status: PaymentStatus::Unpaid, reference: None }),
        subscription_id: None,
        room_id: body.room_id,
        placed_at: Some(at),
        updated_at: at,
        completed_at: None,
        cancelled_at: None,
        timeline: Json(vec![TimelineStep { state: OrderState::Placed, at, note: None }]),
    })
}

// Every line that is too large is reported, not only the first.
fn with_totals(lines: Vec<NewLine>) -> Result<Vec<OrderLine>, Vec<Problem>> {
    let (mut lines_with_totals, mut problems) = (Vec::new(), Vec::new());
    for (index, NewLine { sku, name, quantity, unit_minor }) in lines.into_iter().enumerate() {
        match quantity.checked_mul(unit_minor).filter(|total| *total <= MINOR_MAX) {
            Some(total_minor) => {
                lines_with_totals.push(OrderLine { id: None, sku, name, quantity, unit_minor, total_minor })
            }
            None => {
                problems.push(Problem { at: format!("/lines/{index}"), rule: format!("must cost at most {MINOR_MAX}") })
            }
        }
    }
    if problems.is_empty() { Ok(lines_with_totals) } else { Err(problems) }
}

// A client that computed another total does not know what it is about to pay.
fn wrong_expectation(expected: i64, subtotal: i64, discount: i64, tax: i64) -> Option<Problem> {
    let total = subtotal.checked_sub(discount)?.checked_add(tax)?;
    let rule = match total {
        total if total == expected => return None,
        0..=MINOR_MAX => format!("must be {total}: the lines minus discount plus tax"),
        _ => "must be the lines minus discount plus tax".to_owned(),
    };
    Some(Problem { at: "/expected_total_minor".to_owned(), rule })
}
