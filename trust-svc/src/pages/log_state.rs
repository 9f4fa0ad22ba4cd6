//! `/`: the state of the log, and how to check it.

use std::fmt::Display;

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, PageRequest, scrollable};
use trust_log::tlog::NoteSigner;

use super::{
    event_table,
    facts::{code, fact, time},
    search,
};
use crate::{
    cosigning::Witnesses,
    events::store,
    log::{read, read_head},
    self_check::{
        SelfChecks,
        state::{Audit, AuditResult},
    },
};

const MAX_EVENTS: i64 = 20;

pub async fn log_state(request: PageRequest) -> Result<Page, Error> {
    let (signer, witnesses) = (request.state::<NoteSigner>()?, request.state::<Option<Witnesses>>()?);
    let checkpoint = read::public_checkpoint(&request.context, &signer, &witnesses).await?;
    let (head, newest) = request.context.read(|conn| Ok((read_head(conn)?, store::newest(conn, MAX_EVENTS)?))).await?;
    let key = signer.verifier_key();
    let base = request.context.base_url();
    let audit = request.state::<SelfChecks>()?.last();
    let page = Page::new(
        "The log",
        html! {
            p { "Signed market events, published once and in order. Entries are appended and never changed, and anyone can check that." }
            (search::form(""))
            dl.facts {
                (fact("Entries", head.size()))
                (fact("Root hash", code(head.root)))
                (fact("Name", code(key.name())))
                (fact("Key", code(key)))
                @if let Some(witnesses) = &*witnesses {
                    (fact("Witnesses", html! {
                        "A checkpoint is shown when " (witnesses.needed) " of these have cosigned it:"
                        ul { @for witness in &witnesses.all { li { (code(&witness.key)) } } }
                    }))
                }
            }
            (self_check(&audit))
            h2 { "Checkpoint" }
            @match &checkpoint {
                Some(text) => {
                    p { "The name, the size and the root of the log, signed by the log. It may be a little older than the numbers above." }
                    (scrollable("The signed checkpoint", html! { pre { (text) } }))
                }
                None => p { "Not enough witnesses have cosigned a checkpoint yet." },
            }
            h2 { "Newest events" }
            @if newest.is_empty() { p { "No events have been published yet." } } @else { (event_table::table(&newest)) }
            h2 { "Check it yourself" }
            p { "Save the key above when you begin to rely on the log. With it you need not trust anything else on this page. \
                 This command reads all entries, computes every hash, checks every signature and saves the checkpoint. \
                 Next time, add --since log.checkpoint and write to another file:" }
            (command("Audit the log", format_args!("trust-svc audit {base} --log-key '{key}' > log.checkpoint")))
            p { "This command reads only the checkpoint:" }
            (command("Read the checkpoint", format_args!("curl -s {base}/wp-json/service-trust/v1/log/checkpoint")))
        },
    );
    // Caches must not store the page about a damaged log.
    Ok(if audit.result == AuditResult::Intact { page.public() } else { page })
}

fn self_check(audit: &Audit) -> Markup {
    html! {
        h2 { "Last self-check" }
        @match audit.result {
            AuditResult::Intact => p {
                strong { "Intact. " } "The service computed all stored data again from the entries. They agree for the first " (audit.to_size) " entries. Last done: " (time(audit.checked_at)) "."
            },
            AuditResult::Damaged => p.alert {
                strong { "Damaged. " } "The service found stored data that does not follow from the entries"
                @if let Some(damage) = &audit.damage { ": " (damage) } ". It accepts no more events. Found: " (time(audit.checked_at)) "."
            },
        }
    }
}

pub fn command(label: &str, line: impl Display) -> Markup {
    scrollable(label, html! { pre { code { (line.to_string()) } } })
}
