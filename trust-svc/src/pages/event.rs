//! `/event/{event_hash}`: an event, who signed it, and the proof that the log has it, checked anew for each page.

use maud::{Markup, html};
use serde_json::Value;
use shared_model::{Error, Failure, code};
use shared_runtime::{
    Conn,
    pages::{Page, Visit, scrollable},
};

use super::{
    facts::{code as as_code, fact, time},
    log_state::command,
};
use crate::{
    canonical::EventHash,
    events::{
        evidence::{self, Evidence},
        published::PublishedEvent,
        store,
    },
    log::ShownPlace,
    signers,
    state::Trust,
    tlog::Policy,
};

/// The event of a hash.
pub async fn event(visit: Visit) -> Result<Page, Error> {
    let (hash,): (EventHash,) = visit.path()?;
    let trust = visit.state::<Trust>()?;
    let find = move |conn: &mut Conn| {
        let found = store::find(conn, &hash)?.ok_or_else(code::not_found)?;
        let signer = signers::store::find(conn, &found.leaf.signer_key_id)?;
        Ok((found, signer))
    };
    let (found, signer) = visit.context.read(find).await?;
    let published = PublishedEvent::new(found, &trust.signer)?;
    let answer = serde_json::to_value(&published).map_err(Failure::from)?;
    let key = trust.signer.verifier_key();
    let policy = Policy::new(key.clone(), Vec::new(), 0).map_err(Failure::fault)?;
    let proven = evidence::verify(&answer, &published.published.receipt, &policy);
    let url = format!("{}/wp-json/service-trust/v1/events/{}", visit.context.base_url(), hash.as_str());
    let signature = match &signer {
        Some(signer) => evidence::verify_signature(&answer, &signer.public_key, visit.context.base_url()),
        None => Err(format!("the service does not know {}", published.signer_key_id)),
    };
    let (is_proven, place) = (proven.is_ok() && signature.is_ok(), &published.published.log);
    let page = Page::new(
        format!("Event {}", published.published.event_id),
        html! {
            (facts(&published))
            h2 { "What the event says" }
            p.untrusted { strong { "Written by its signer. " } "Nothing in it comes from this service." }
            (scrollable("The event", html! { pre dir="auto" { (readable(&answer["event"])) } }))
            h2 { "Proof" }
            (verdict(&proven, place))
            (signed(&signature, &published))
            (path(place))
            p { "Check it without trusting this page, with the log's key from a place that you trust:" }
            (command("Verify the receipt", format_args!("curl -s {url} | trust-svc verify - --log-key '{key}'")))
            h3 { "Receipt" }
            p { "The proof as one text. With the event and the log's key it stays good for ever, also without this service." }
            (scrollable("The receipt", html! { pre { (published.published.receipt) } }))
        },
    );
    // What is wrong is not kept by caches.
    Ok(if is_proven { page.public() } else { page })
}

fn facts(event: &PublishedEvent) -> Markup {
    let published = &event.published;
    html! {
        dl.facts {
            (fact("Hash", as_code(published.event_hash.as_str())))
            (fact("Market", as_code(published.market_id)))
            (fact("Revision", published.revision))
            (fact("State of the market after it", published.state.as_str()))
            (fact("Published", time(published.published_at)))
            (fact("Signer", html! { bdi { (event.signer_key_id.as_str()) } }))
            (fact("Signature", as_code(&event.signature)))
        }
    }
}

/// What the server has found when it checked the receipt, in words.
fn verdict(proven: &Result<Evidence, String>, place: &ShownPlace) -> Markup {
    match proven {
        Ok(Evidence { index, log, size }) => html! {
            p {
                strong { "Verified. " } "The server has hashed the event as entry " (index) " and, with the inclusion path below (hashes: "
                (place.inclusion_path.len()) "), come to the root " (as_code(place.root_hash)) " of the log "
                bdi { (log) } " with " (size) " entries; the log's signature of that root holds."
            }
        },
        Err(why) => html! { p.alert { strong { "Not verified: " } (why) ". Do not rely on this event." } },
    }
}

fn signed(signature: &Result<(), String>, event: &PublishedEvent) -> Markup {
    match signature {
        Ok(()) => html! {
            p {
                strong { "Signed. " } "The event has the hash above, and the signature is that of the key which the service knows as "
                bdi { (event.signer_key_id.as_str()) } "."
            }
        },
        Err(why) => html! { p.alert { strong { "The signature does not hold: " } bdi { (why) } "." } },
    }
}

fn path(place: &ShownPlace) -> Markup {
    html! {
        dl.facts {
            (fact("Index", place.index))
            (fact("Size of the log", place.tree_size))
            (fact("Hash of the entry", as_code(place.leaf_hash)))
            (fact("Root", as_code(place.root_hash)))
        }
        @if place.inclusion_path.is_empty() {
            p { "The log had no other entry then: the hash of the entry is the root." }
        } @else {
            h3 { "Inclusion path" }
            ol.path { @for hash in &place.inclusion_path { li { (as_code(hash)) } } }
        }
    }
}

/// The event with an indentation. Its hash is of its canonical form, which the receipt's check computes.
fn readable(event: &Value) -> String {
    serde_json::to_string_pretty(event).unwrap_or_default()
}
