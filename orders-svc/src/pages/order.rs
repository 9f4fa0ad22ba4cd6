//! `GET /orders/{order_id}`: one order with its lines, its amounts and what has happened to it.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn, scrollable, time};

use super::{
    answer::{Amounts, Answer, Line, Order},
    words::{amount, payment, state},
};
use crate::ids::OrderId;

pub async fn order(visit: SignedIn) -> Result<Page, Error> {
    let (id,): (OrderId,) = visit.path()?;
    // Drafts and the orders of others are 404 there, and so they are here.
    let read = visit.operation("read_order").path(&[id.as_str()]);
    let Answer { data: order, .. }: Answer<Order> = read.answer().await?;
    let body = html! {
        nav.crumbs aria-label=(text!("Path")) { a href="/orders" { (text!("Your orders")) } }
        p { span.state { (state(order.state)) } }
        dl.facts {
            @if let Some(at) = order.placed_at { div { dt { (text!("Placed")) } dd { (time(at)) } } }
            div {
                dt { (text!("Payment")) }
                dd {
                    (payment(order.payment.status)) ", " (text!("by {method}", method = html! { bdi { (order.payment.method) } }))
                    @if let Some(reference) = &order.payment.reference { ", " bdi { (reference) } }
                }
            }
        }
        h2 { (text!("Lines")) }
        (scrollable(text!("The lines of the order"), lines(&order.lines, &order.currency)))
        h2 { (text!("Amounts")) }
        (scrollable(text!("The amounts of the order"), amounts(&order.amounts, &order.currency)))
        // Oldest first, as it happened.
        h2 { (text!("What has happened")) }
        ol {
            @for step in &order.timeline {
                li { (state(step.state)) ", " (time(step.at)) @if let Some(note) = &step.note { ": " bdi { (note) } } }
            }
        }
        (ids(&order))
    };
    let title = title!("Order {number}", number = order.number);
    Ok(Page::new(title, body).heading(text!("Order {number}", number = html! { bdi { (order.number) } })))
}

fn lines(lines: &[Line], currency: &str) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { (text!("What")) }
                    th scope="col" { (text!("Quantity")) }
                    th scope="col" { (text!("Each")) }
                    th scope="col" { (text!("Total")) }
                }
            }
            tbody {
                @for line in lines {
                    tr {
                        th scope="row" dir="auto" { (line.name) }
                        td.amount { (line.quantity) }
                        td.amount { (amount(line.unit_minor, currency)) }
                        td.amount { (amount(line.total_minor, currency)) }
                    }
                }
            }
        }
    }
}

fn amounts(amounts: &Amounts, currency: &str) -> Markup {
    // Zeros that say nothing are left out.
    let rows = [
        (text!("Sum of the lines"), amounts.subtotal_minor, true),
        (text!("Discount"), amounts.discount_minor, false),
        (text!("Tax"), amounts.tax_minor, false),
        (text!("Total"), amounts.total_minor, true),
        (text!("Paid"), amounts.paid_minor, true),
        (text!("Refunded"), amounts.refunded_minor, false),
        (text!("To pay"), amounts.due_minor, true),
    ];
    html! {
        table {
            tbody {
                @for (name, minor, always) in rows {
                    @if always || minor != 0 { tr { th scope="row" { (name) } td.amount { (amount(minor, currency)) } } }
                }
            }
        }
    }
}

/// For those who compare it with what a program says.
fn ids(order: &Order) -> Markup {
    let ids = [
        (text!("Order"), Some(&order.id)),
        (text!("Room"), order.room_id.as_ref()),
        (text!("Subscription"), order.subscription_id.as_ref()),
    ];
    html! {
        details {
            summary { (text!("Details")) }
            dl.facts { @for (name, id) in ids { @if let Some(id) = id { div { dt { (name) } dd { code { (id) } } } } } }
        }
    }
}
