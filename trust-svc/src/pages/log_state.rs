//! `/`: the state of the log, and how to check it.

use std::fmt::Display;

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, PageRequest, Text, in_english, scrollable};
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
        text!("The log"),
        html! {
            p {
                (text!("Signed market events, published once and in order. Entries are appended and never changed, and anyone can check that."))
            }
            (search::form(""))
            dl.facts {
                (fact(text!("Entries"), head.size()))
                (fact(text!("Root hash"), code(head.root)))
                (fact(text!("Name"), code(key.name())))
                (fact(text!("Key"), code(key)))
                @if let Some(witnesses) = &*witnesses {
                    (fact(text!("Witnesses"), html! {
                        (text!("A checkpoint is shown when {n} of these have cosigned it:", n = witnesses.needed))
                        ul { @for witness in &witnesses.all { li { (code(&witness.key)) } } }
                    }))
                }
            }
            (self_check(&audit))
            h2 { (text!("Checkpoint")) }
            @match &checkpoint {
                Some(text) => {
                    p {
                        (text!("The name, the size and the root of the log, signed by the log. It may be a little older than the numbers above."))
                    }
                    (scrollable(text!("The signed checkpoint"), html! { pre { (text) } }))
                }
                None => p { (text!("Not enough witnesses have cosigned a checkpoint yet.")) },
            }
            h2 { (text!("Newest events")) }
            @if newest.is_empty() {
                p { (text!("No events have been published yet.")) }
            } @else {
                (event_table::table(&newest))
            }
            h2 { (text!("Check it yourself")) }
            p {
                (text!("Save the key above when you begin to rely on the log. With it you need not trust anything else on this page."))
                " "
                (text!("This command reads all entries, computes every hash, checks every signature and saves the checkpoint."))
                " "
                (text!("Next time, add {option} and write to another file:", option = html! { code { "--since log.checkpoint" } }))
            }
            (command(text!("Audit the log"), format_args!("trust-svc audit {base} --log-key '{key}' > log.checkpoint")))
            p { (text!("This command reads only the checkpoint:")) }
            (command(text!("Read the checkpoint"), format_args!("curl -s {base}/wp-json/service-trust/v1/log/checkpoint")))
        },
    );
    // Caches must not store the page about a damaged log.
    Ok(if audit.result == AuditResult::Intact { page.public() } else { page })
}

fn self_check(audit: &Audit) -> Markup {
    html! {
        h2 { (text!("Last self-check")) }
        @match audit.result {
            AuditResult::Intact => p {
                strong { (text!("Intact.")) } " "
                (text!("The service computed the tree, the events and the signers again from the entries. They agree for the first {size} entries. Last done: {time}.",
                    size = audit.to_size, time = time(audit.checked_at)))
            },
            AuditResult::Damaged => p.alert {
                strong { (text!("Damaged.")) }
                " " (text!("The service found stored data that does not follow from the entries."))
                @if let Some(damage) = &audit.damage { " " (in_english(damage)) "." }
                " " (text!("It accepts no more events. Found: {time}.", time = time(audit.checked_at)))
            },
        }
    }
}

pub fn command(label: Text, line: impl Display) -> Markup {
    scrollable(label, html! { pre { code { (line.to_string()) } } })
}
