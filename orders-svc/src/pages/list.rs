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
        p {
            (text!("Newest first. Programs place orders and read them with {api}.", api = html! { a href="/docs" { (text!("the API")) } }))
        }
        @if data.is_empty() {
            p { (text!("You have not placed an order.")) }
        } @else {
            (scrollable(text!("Your orders"), table(&data)))
        }
        @if let Some(cursor) = meta.next_cursor {
            // A cursor has only characters of URLs.
            nav.pages aria-label=(text!("Pages of the orders")) {
                a rel="next" href={ "/orders?cursor=" (cursor) } { (text!("Older orders")) }
            }
        }
    };
    Ok(Page::new(text!("Your orders"), body))
}

fn table(orders: &[Order]) -> Markup {
    html! {
        // The number is what people and invoices know. The id is on the page of the order.
        table {
            thead {
                tr {
                    th scope="col" { (text!("Order")) }
                    th scope="col" { (text!("Placed")) }
                    th scope="col" { (text!("State")) }
                    th scope="col" { (text!("Payment")) }
                    th scope="col" { (text!("Total")) }
                }
            }
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
