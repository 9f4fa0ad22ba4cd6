//! `GET /orders`: the orders that the visitor placed.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn, scrollable, time};

use super::{
    answer::{Answer, Order},
    words::{amount, payment, state},
};

pub async fn list(visit: SignedIn) -> Result<Page, Error> {
    let read = visit.operation("list_orders").query("cursor", visit.value("cursor").unwrap_or_default());
    let Answer { data, meta }: Answer<Vec<Order>> = read.answer().await?;
    let body = html! {
        p { "Newest first. Programs place orders and read them with " a href="/docs" { "the API" } "." }
        @if data.is_empty() { p { "You have not placed an order." } } @else { (scrollable("Your orders", table(&data))) }
        @if let Some(cursor) = meta.next_cursor {
            // A cursor has only characters of URLs.
            nav.pages aria-label="Pages of the orders" { a rel="next" href={ "/orders?cursor=" (cursor) } { "Older orders" } }
        }
    };
    Ok(Page::new("Your orders", body))
}

fn table(orders: &[Order]) -> Markup {
    html! {
        // The number is what people and invoices know. The id is on the page of the order.
        table {
            thead { tr { th scope="col" { "Order" } th scope="col" { "Placed" } th scope="col" { "State" } th scope="col" { "Payment" } th scope="col" { "Total" } } }
            tbody {
                @for order in orders {
                    tr {
                        th scope="row" { a href={ "/orders/" (order.id) } { bdi { (order.number) } } }
                        td { @if let Some(at) = order.placed_at { (time(at)) } }
                        td { (state(order.state)) }
                        td { (payment(order.payment.status)) }
                        td.amount { (amount(order.amounts.total_minor, &order.currency)) }
                    }
                }
            }
        }
    }
}
