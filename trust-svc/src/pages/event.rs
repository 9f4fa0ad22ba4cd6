//! `/event/{event_hash}`: an event, its signer, and the proof that the log has it. The proof is checked for each
//! request.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use maud::{Markup, html};
use serde_json::Value;
use shared_model::{Error, Failure, code};
use shared_runtime::{
    Conn,
    pages::{Page, PageRequest, in_english, scrollable},
};
use trust_log::tlog::{NoteSigner, Policy, VerifierKey};

use super::{
    facts::{code as as_code, fact, time},
    log_state::command,
    steps, title,
    visible::Visible,
};
use crate::{
    events::{
        evidence::{self, Evidence},
        read::PublishedEvent,
        store::{self, EventRow, StoredEvent},
    },
    log::{LogProof, proven},
    model::EventHash,
    signers,
};

pub async fn event(request: PageRequest) -> Result<Page, Error> {
    let (hash,): (EventHash,) = request.path()?;
    let log_key = request.state::<NoteSigner>()?;
    let find = move |conn: &mut Conn| {
        let found = store::find(conn, &hash)?.ok_or_else(code::not_found)?;
        let key_id = found.leaf.as_ref().map_or(&found.row.signer_key_id, |leaf| &leaf.signer_key_id);
        let signer = signers::store::find(conn, key_id)?;
        Ok((found, signer))
    };
    let (found, signer) = request.context.read(find).await?;
    if found.leaf.is_none() {
        return Ok(unreadable(&found));
    }
    let row = found.row.clone();
    let published = PublishedEvent::new(found, &log_key)?;
    let answer = serde_json::to_value(&published).map_err(Failure::from)?;
    let key = log_key.verifier_key();
    let policy = Policy::new(key.clone(), Vec::new(), 0).map_err(Failure::fault)?;
    let proven = evidence::verify(&answer, &published.published.receipt, &policy);
    let url = format!("{}/wp-json/service-trust/v1/events/{}", request.context.base_url(), hash.as_str());
    let signature = match &signer {
        Some(signer) => evidence::verify_signature(&answer, &signer.public_key, request.context.base_url()),
        None => Err(format!("the service has no signer {}", published.signer_key_id)),
    };
    let event = Visible::new(&readable(&answer["event"]));
    let (is_proven, log_proof) = (proven.is_ok() && signature.is_ok(), &published.published.log);
    let page = Page::new(
        title::of_event(published.event.get())
            .unwrap_or_else(|| title!("Event {id}", id = published.published.event_id)),
        html! {
            (facts(&row, Some(&published.signature)))
            h2 { (text!("What the event says")) }
            p.untrusted {
                strong { (text!("Written by its signer.")) } " " (text!("Nothing in it was written by this service."))
            }
            (event.warning())
            (scrollable(text!("The event"), html! { pre dir="auto" { (event.text) } }))
            h2 { (text!("Proof")) }
            (receipt_result(&proven, log_proof))
            (signature_result(&signature, &published))
            (path(log_proof))
            (for_the_script(&answer, log_proof, key))
            p {
                (text!("To check the event without trusting this page, use the log's key from a source that you trust:"))
            }
            (command(text!("Verify the receipt"), format_args!("curl -s {url} | trust-svc verify - --log-key '{key}'")))
            h3 { (text!("Receipt")) }
            p {
                (text!("The proof as one text. With the event and the log's key it stays valid forever, even without this service."))
            }
            (scrollable(text!("The receipt"), html! { pre { (published.published.receipt) } }))
        },
    );
    // Caches must not store a page about a failed check.
    Ok(if is_proven { page.public() } else { page })
}

/// The page of an event whose entry cannot be read.
fn unreadable(found: &StoredEvent) -> Page {
    let damage = proven::damaged_entry(found.position.index()).to_string();
    Page::new(
        title!("Event {id}", id = found.row.event_id),
        html! {
            (facts(&found.row, None))
            h2 { (text!("Proof")) }
            (not_verified(&damage))
        },
    )
}

/// A damaged entry has no signature to show.
fn facts(row: &EventRow, signature: Option<&str>) -> Markup {
    html! {
        dl.facts {
            (fact(text!("Event"), as_code(row.event_id)))
            (fact(text!("Hash"), as_code(row.event_hash.as_str())))
            (fact(text!("Market"), as_code(row.market_id)))
            (fact(text!("Revision"), row.revision))
            (fact(text!("State of the market after the event"), row.state.as_str()))
            (fact(text!("Published"), time(row.published_at)))
            (fact(text!("Signer"), html! { bdi { (row.signer_key_id.as_str()) } }))
            @if let Some(signature) = signature { (fact(text!("Signature"), as_code(signature))) }
        }
    }
}

fn receipt_result(proven: &Result<Evidence, String>, proof: &LogProof) -> Markup {
    match proven {
        Ok(Evidence { index, log, size }) => html! {
            p {
                strong { (text!("Verified.")) } " "
                (text!("The server computed the root {root} from the event as entry {index} and the inclusion path below (hashes: {hashes}).",
                    root = as_code(proof.root_hash), index = index, hashes = proof.inclusion_path.len()))
                " "
                (text!("It is the root of the log {log} with {size} entries, and the log's signature of that root is valid.",
                    log = html! { bdi { (log) } }, size = size))
            }
        },
        Err(why) => not_verified(why),
    }
}

fn not_verified(why: &str) -> Markup {
    html! {
        p.alert {
            strong { (text!("Not verified:")) } " " (in_english(why)) ". " (text!("Do not rely on this event."))
        }
    }
}

fn signature_result(signature: &Result<(), String>, event: &PublishedEvent) -> Markup {
    match signature {
        Ok(()) => html! {
            p {
                strong { (text!("Signed.")) } " "
                (text!("The event has the hash above, and the signature is valid for the key of the signer {signer}.",
                    signer = html! { bdi { (event.signer_key_id.as_str()) } }))
            }
        },
        Err(why) => {
            html! { p.alert { strong { (text!("The signature is not valid:")) } " " bdi { (in_english(why)) } "." } }
        }
    }
}

/// Each hash on the way from the entry to the root, so that people can compute it again.
fn path(proof: &LogProof) -> Markup {
    let path = proof.inclusion_path.iter().map(|hash| hash.0);
    let steps = steps::steps(proof.index, proof.tree_size, proof.leaf_hash.0, path);
    let root = steps.last().map_or(proof.leaf_hash.0, |step| step.result);
    html! {
        h3 { (text!("Step by step")) }
        ol.path {
            li {
                (text!("SHA-256 of a zero byte and the entry is {hash}. It is entry {index}, counted from 0.",
                    hash = as_code(proof.leaf_hash), index = proof.index))
            }
            @for step in &steps {
                @let with = if step.is_left { text!("With {hash} before it: {result}") }
                else { text!("With {hash} after it: {result}") }
                ;
                li { (with.with(&[("hash", &as_code(step.sibling)), ("result", &as_code(step.result))])) }
            }
            @let verdict = match root == proof.root_hash.0 {
                true => text!("This is the root of the log with {size} entries, which the checkpoint names: {root}"),
                false => text!("This is not the root of the log with {size} entries, which the checkpoint names: {root}"),
            };
            li class=[(root != proof.root_hash.0).then_some("alert")] {
                (verdict.with(&[("size", &proof.tree_size), ("root", &as_code(proof.root_hash))]))
            }
        }
        p.note { (text!("A step is SHA-256 of a byte 1 and the two hashes (RFC 9162, 2.1.3.2).")) }
    }
}

/// What the script needs to compute the same in the browser.
fn for_the_script(answer: &Value, proof: &LogProof, key: &VerifierKey) -> Markup {
    let path: Vec<String> = proof.inclusion_path.iter().map(ToString::to_string).collect();
    html! {
        div data-entry=(BASE64_STANDARD.encode(evidence::entry_text(answer))) data-index=(proof.index) data-size=(proof.tree_size) data-path=(path.join(" "))
            data-checkpoint=(proof.checkpoint) data-key=(key) {}
    }
}

// Indented for people. Its hash is the hash of the canonical form.
fn readable(event: &Value) -> String {
    serde_json::to_string_pretty(event).unwrap_or_default()
}
