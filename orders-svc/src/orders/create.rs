//! `POST /wp-json/service-net/v1/orders`: places an order whose amounts the service computes from its lines.

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
    /// What is sent.
    #[derive(Clone, Debug)]
    pub struct CreateOrder {
        /// What is ordered.
        pub lines: Vec<NewLine> as Array<NewLine, 1, 200>,
        /// What is taken off, in pence; absent: nothing.
        pub discount_minor: Option<i64> as MinorUnits,
        /// Tax that is added, in pence; absent: none.
        pub tax_minor: Option<i64> as MinorUnits,
        /// By what means it will be paid.
        pub payment_method: String as OneLine<64>,
        /// The room that it is for.
        pub room_id: Option<RoomId>,
        /// What you expect the total to be, in pence: the order is refused when it comes to anything else.
        pub expected_total_minor: Option<i64> as MinorUnits,
    }
    example = {
        "lines": [{"sku": "room-s", "name": "Small room", "quantity": 1, "unit_minor": 2900}],
        "tax_minor": 580, "payment_method": "card", "expected_total_minor": 3480
    };

    /// One thing that is ordered; what it comes to is computed.
    #[derive(Clone, Debug)]
    pub struct NewLine {
        /// Its stock keeping unit.
        pub sku: String as Sku,
        /// Its name for people.
        pub name: String as OneLine<190>,
        /// How many.
        pub quantity: i64 as Quantity,
        /// The price of one, in pence.
        pub unit_minor: i64 as MinorUnits,
    }
}

/// Places the order for whoever the grant belongs to.
pub async fn create(
    caller: Caller<PlaceOrders>,
    once: Once,
    Body(body): Body<CreateOrder>,
    context: Context,
) -> Result<Answer<Order>, Error> {
    let order = placed(body, context.random.bytes16(), context.clock.now())?;
    let record = OrderRecord { owner: caller.subject.clone(), order };
    let at = context.clone();
    context
        .once(once, move |conn| {
            ordering_switch::must_be_open(conn)?;
            store::insert(conn, &record)?;
            let OrderRecord { order, .. } = &record;
            let location = at.href(&format!("/wp-json/service-net/v1/orders/{}", order.id));
            Ok(Answer::ok(order)?.etag(order.etag(&at.secret)).header("location", location))
        })
        .await
}

/// The order of a request, placed now.
fn placed(body: CreateOrder, id: [u8; 16], at: Timestamp) -> Result<Order, Refusal> {
    let wrong = |problems| Refusal::problems(&code::INVALID_FIELD, problems);
    let lines = priced(body.lines).map_err(wrong)?;
    let (discount, tax) = (body.discount_minor.unwrap_or(0), body.tax_minor.unwrap_or(0));
    let subtotal = amounts::sum(lines.iter().map(|line| line.total_minor));
    let amounts = Amounts::unpaid(subtotal, discount, tax);
    let unexpected = body.expected_total_minor.and_then(|expected| unexpected(expected, subtotal?, discount, tax));
    let amounts = match (amounts, unexpected) {
        (Ok(amounts), None) => amounts,
        (amounts, unexpected) => {
            return Err(wrong(amounts.err().into_iter().chain(unexpected).collect()));
        }
    };
    Ok(Order {
        id: OrderId::from_bytes(id),
        number: number::of(id),
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

/// The lines with their totals; `Err` with every line whose total is too large.
fn priced(lines: Vec<NewLine>) -> Result<Vec<OrderLine>, Vec<Problem>> {
    let (mut priced, mut problems) = (Vec::new(), Vec::new());
    for (index, NewLine { sku, name, quantity, unit_minor }) in lines.into_iter().enumerate() {
        match quantity.checked_mul(unit_minor).filter(|total| *total <= MINOR_MAX) {
            Some(total_minor) => priced.push(OrderLine { id: None, sku, name, quantity, unit_minor, total_minor }),
            None => problems
                .push(Problem { at: format!("/lines/{index}"), rule: format!("must come to at most {MINOR_MAX}") }),
        }
    }
    if problems.is_empty() { Ok(priced) } else { Err(problems) }
}

/// What is wrong with an expected total.
fn unexpected(expected: i64, subtotal: i64, discount: i64, tax: i64) -> Option<Problem> {
    let total = subtotal.checked_sub(discount)?.checked_add(tax)?;
    let rule = match total {
        total if total == expected => return None,
        0..=MINOR_MAX => format!("must be {total}: what the lines less discount plus tax come to"),
        _ => "must be what the lines less discount plus tax come to".to_owned(),
    };
    Some(Problem { at: "/expected_total_minor".to_owned(), rule })
}
