//! `POST /wp-json/service-net/v1/orders`: places an order whose amounts the service computes from its lines.

use shared_model::{
    Currency, Error, FromJson, JsonReader, Problem, Refusal, Timestamp, code,
    fields::{MINOR_MAX, line, minor, sku},
};
use shared_runtime::{Answer, Body, Caller, Context, Once};
use utoipa::ToSchema;

use super::{
    Amounts, Line, Order, OrderState, Payment, PaymentStatus, Record, Schema, Step,
    amounts::sum,
    number,
    parse::{LINES_MAX, METHOD_BYTES, NAME_BYTES, QUANTITY_MAX},
    read::etag,
    store,
};
use crate::{
    ids::{OrderId, RoomId},
    ordering,
    permissions::PlaceOrders,
};

/// What is sent.
#[derive(Clone, Debug, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "lines": [{"sku": "room-s", "name": "Small room", "quantity": 1, "unit_minor": 2900}],
    "tax_minor": 580, "payment_method": "card", "expected_total_minor": 3480
}))]
pub struct CreateOrder {
    /// What is ordered.
    #[schema(min_items = 1, max_items = 200)]
    pub lines: Vec<NewLine>,
    /// What is taken off, in pence; absent: nothing.
    #[schema(minimum = 0, nullable = false)]
    pub discount_minor: Option<i64>,
    /// Tax that is added, in pence; absent: none.
    #[schema(minimum = 0, nullable = false)]
    pub tax_minor: Option<i64>,
    /// By what means it will be paid: at most 64 bytes.
    pub payment_method: String,
    /// The room that it is for.
    #[schema(nullable = false)]
    pub room_id: Option<RoomId>,
    /// What you expect the total to be, in pence: the order is refused when it comes to anything else.
    #[schema(minimum = 0, nullable = false)]
    pub expected_total_minor: Option<i64>,
}

/// One thing that is ordered; what it comes to is computed.
#[derive(Clone, Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLine {
    /// Its stock keeping unit: 1 to 64 ASCII letters, digits, dots, dashes and underscores.
    pub sku: String,
    /// Its name for people: at most 190 bytes.
    pub name: String,
    /// How many.
    #[schema(minimum = 1, maximum = 1000000)]
    pub quantity: i64,
    /// The price of one, in pence.
    #[schema(minimum = 0)]
    pub unit_minor: i64,
}

/// Places the order for whoever the grant belongs to.
pub async fn create(
    caller: Caller<PlaceOrders>,
    once: Once,
    Body(body): Body<CreateOrder>,
    context: Context,
) -> Result<Answer<Order>, Error> {
    let order = placed(body, context.random.bytes16(), context.clock.now())?;
    let record = Record { owner: caller.subject.clone(), order };
    let at = context.clone();
    context
        .once(once, move |conn| {
            ordering::must_be_open(conn)?;
            store::insert(conn, &record)?;
            let Record { order, .. } = &record;
            let location = at.href(&format!("/wp-json/service-net/v1/orders/{}", order.id));
            Ok(Answer::ok(order)?.etag(etag(&at, order)).header("location", location))
        })
        .await
}

/// The order that is asked for, with this id, placed now.
fn placed(body: CreateOrder, id: [u8; 16], at: Timestamp) -> Result<Order, Refusal> {
    let wrong = |problems| Refusal::problems(&code::INVALID_FIELD, problems);
    let lines = priced(body.lines).map_err(wrong)?;
    let (discount, tax) = (body.discount_minor.unwrap_or(0), body.tax_minor.unwrap_or(0));
    let amounts = Amounts::unpaid(&lines, discount, tax);
    let unexpected = body.expected_total_minor.and_then(|expected| unexpected(expected, &lines, discount, tax));
    let amounts = match (amounts, unexpected) {
        (Ok(amounts), None) => amounts,
        (amounts, unexpected) => {
            let broken = amounts.err().map(|rule| Problem { at: String::new(), rule: rule.to_owned() });
            return Err(wrong(broken.into_iter().chain(unexpected).collect()));
        }
    };
    Ok(Order {
        schema: Schema::OrderV1,
        id: OrderId::from_bytes(id),
        number: number::of(id),
        state: OrderState::Placed,
        version: 1,
        currency: Currency::Gbp,
        amounts,
        lines,
        payment: Payment { method: body.payment_method, status: PaymentStatus::Unpaid, reference: None },
        subscription_id: None,
        room_id: body.room_id,
        placed_at: Some(at),
        updated_at: at,
        completed_at: None,
        cancelled_at: None,
        timeline: vec![Step { state: OrderState::Placed, at, note: None }],
    })
}

/// The lines with what each comes to; every one that comes to too much is told.
fn priced(lines: Vec<NewLine>) -> Result<Vec<Line>, Vec<Problem>> {
    let (mut priced, mut problems) = (Vec::new(), Vec::new());
    for (index, NewLine { sku, name, quantity, unit_minor }) in lines.into_iter().enumerate() {
        match quantity.checked_mul(unit_minor).filter(|total| *total <= MINOR_MAX) {
            Some(total_minor) => priced.push(Line { id: None, sku, name, quantity, unit_minor, total_minor }),
            None => problems
                .push(Problem { at: format!("/lines/{index}"), rule: format!("must come to at most {MINOR_MAX}") }),
        }
    }
    if problems.is_empty() { Ok(priced) } else { Err(problems) }
}

/// What is wrong with an expected total, where lines, discount and tax come to something at all.
fn unexpected(expected: i64, lines: &[Line], discount: i64, tax: i64) -> Option<Problem> {
    let total = sum(lines)?.checked_sub(discount)?.checked_add(tax)?;
    let rule = match total {
        total if total == expected => return None,
        0..=MINOR_MAX => format!("must be {total}: what the lines less discount plus tax come to"),
        _ => "must be what the lines less discount plus tax come to".to_owned(),
    };
    Some(Problem { at: "/expected_total_minor".to_owned(), rule })
}

impl FromJson for CreateOrder {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let lines = object.required("lines", |reader| reader.array(1..=LINES_MAX, NewLine::from_json));
            let discount_minor = object.optional("discount_minor", minor);
            let tax_minor = object.optional("tax_minor", minor);
            let payment_method = object.required("payment_method", |reader| line(reader, METHOD_BYTES));
            let room_id = object.optional("room_id", RoomId::from_json);
            let expected_total_minor = object.optional("expected_total_minor", minor);
            Some(Self {
                lines: lines?,
                discount_minor: discount_minor?,
                tax_minor: tax_minor?,
                payment_method: payment_method?,
                room_id: room_id?,
                expected_total_minor: expected_total_minor?,
            })
        })
    }
}

impl FromJson for NewLine {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let sku = object.required("sku", sku);
            let name = object.required("name", |reader| line(reader, NAME_BYTES));
            let quantity = object.required("quantity", |reader| reader.integer(1..=QUANTITY_MAX));
            let unit_minor = object.required("unit_minor", minor);
            Some(Self { sku: sku?, name: name?, quantity: quantity?, unit_minor: unit_minor? })
        })
    }
}
