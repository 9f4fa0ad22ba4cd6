//! `/`: the state of the log, and how to check it.

use std::fmt::Display;

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, Visit, scrollable};

use super::facts::{code, fact, time};
use crate::{
    events::store::{self, EventRow},
    log::{head, read},
    self_check::state::{Audit, AuditResult},
    state::Trust,
};

/// Events on the page.
const NEWEST: i64 = 20;

/// The log as it is now.
pub async fn log_state(visit: Visit) -> Result<Page, Error> {
    let trust = visit.state::<Trust>()?;
    let checkpoint = read::signed_checkpoint(&visit.context, &trust).await?;
    let (head, newest) = visit.context.read(|conn| Ok((head::read(conn)?, store::newest(conn, NEWEST)?))).await?;
    let key = trust.signer.verifier_key();
    let base = visit.context.base_url();
    let audit = trust.self_checks.last();
    let page = Page::new(
        "The log",
        html! {
            p { "Signed market events, published once, in order. Entries are only ever appended, and everyone can check that." }
            dl.facts {
                (fact("Entries", head.size()))
                (fact("Root hash", code(head.root)))
                (fact("Name", code(key.name())))
                (fact("Key", code(key)))
                @if let Some(witnesses) = &trust.witnesses {
                    (fact("Witnesses", html! {
                        (witnesses.needed) " of these must have cosigned a checkpoint before it is shown:"
                        ul { @for witness in &witnesses.asked { li { (code(&witness.key)) } } }
                    }))
                }
            }
            (self_check(&audit))
            h2 { "Checkpoint" }
            @match &checkpoint {
                Some(text) => {
                    p { "What the log has signed: its name, its size and its root. It may be a moment older than the numbers above." }
                    (scrollable("The signed checkpoint", html! { pre { (text) } }))
                }
                None => p { "Not enough witnesses have cosigned a checkpoint yet." },
            }
            h2 { "Newest events" }
            (events(&newest))
            h2 { "Check it yourself" }
            p { "Keep the key above from the day on which you begin to rely on the log: with it nothing else of this page need be trusted. \
                 This reads all entries, computes every hash and checks every signature, and keeps the checkpoint for the next time \
                 (then with --since log.checkpoint, and another file to write to):" }
            (command("Audit the log", format_args!("trust-svc audit {base} --log-key '{key}' > log.checkpoint")))
            p { "The checkpoint by itself:" }
            (command("Read the checkpoint", format_args!("curl -s {base}/wp-json/service-trust/v1/log/checkpoint")))
        },
    );
    // That the log is damaged is not kept by caches.
    Ok(if audit.result == AuditResult::Intact { page.public() } else { page })
}

fn self_check(audit: &Audit) -> Markup {
    html! {
        h2 { "Last self-check" }
        @match audit.result {
            AuditResult::Intact => p {
                strong { "Intact. " } "At " (time(audit.checked_at)) " the service computed from the entries all that it stores of them, \
                up to entry number " (audit.to_size) "."
            },
            AuditResult::Damaged => p.alert {
                strong { "Damaged. " } "At " (time(audit.checked_at)) " the service found that what it stores does not follow from the \
                entries" @if let Some(damage) = &audit.damage { ": " (damage) } ". It takes no more events."
            },
        }
    }
}

fn events(newest: &[EventRow]) -> Markup {
    if newest.is_empty() {
        return html! { p { "None has been published yet." } };
    }
    let table = html! {
        table {
            thead { tr { th scope="col" { "Published" } th scope="col" { "Market" } th scope="col" { "Revision" } th scope="col" { "State" } th scope="col" { "Event" } } }
            tbody {
                @for event in newest {
                    tr {
                        td { (time(event.published_at)) }
                        td { (code(event.market_id)) }
                        td { (event.revision) }
                        td { (event.state.as_str()) }
                        td { a href={ "/event/" (event.event_hash.as_str()) } { (code(event.event_hash.as_str())) } }
                    }
                }
            }
        }
    };
    scrollable("The newest events", table)
}

/// A command to be copied.
pub fn command(label: &str, line: impl Display) -> Markup {
    scrollable(label, html! { pre { code { (line.to_string()) } } })
}
