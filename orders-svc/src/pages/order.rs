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
        nav.crumbs aria-label="Path" { a href="/orders" { "Your orders" } }
        p { span.state { (state(order.state)) } }
        dl.facts {
            @if let Some(at) = order.placed_at { div { dt { "Placed" } dd { (time(at)) } } }
            div {
                dt { "Payment" }
                dd {
                    (payment(order.payment.status)) ", by " bdi { (order.payment.method) }
                    @if let Some(reference) = &order.payment.reference { ", " bdi { (reference) } }
                }
            }
        }
        h2 { "Lines" }
        (scrollable("The lines of the order", lines(&order.lines, &order.currency)))
        h2 { "Amounts" }
        (scrollable("The amounts of the order", amounts(&order.amounts, &order.currency)))
        // Oldest first, as it happened.
        h2 { "What has happened" }
        ol {
            @for step in &order.timeline {
                li { (state(step.state)) ", " (time(step.at)) @if let Some(note) = &step.note { ": " bdi { (note) } } }
            }
        }
        (ids(&order))
    };
    let title = format!("Order {}", order.number);
    Ok(Page::new(title, body).heading(html! { "Order " bdi { (order.number) } }))
}

fn lines(lines: &[Line], currency: &str) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { "What" } th scope="col" { "Quantity" } th scope="col" { "Each" } th scope="col" { "Total" } } }
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
        ("Sum of the lines", amounts.subtotal_minor, true),
        ("Discount", amounts.discount_minor, false),
        ("Tax", amounts.tax_minor, false),
        ("Total", amounts.total_minor, true),
        ("Paid", amounts.paid_minor, true),
        ("Refunded", amounts.refunded_minor, false),
        ("To pay", amounts.due_minor, true),
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
        ("Order", Some(&order.id)),
        ("Room", order.room_id.as_ref()),
        ("Subscription", order.subscription_id.as_ref()),
    ];
    html! {
        details {
            summary { "Details" }
            dl.facts { @for (name, id) in ids { @if let Some(id) = id { div { dt { (name) } dd { code { (id) } } } } } }
        }
    }
}
