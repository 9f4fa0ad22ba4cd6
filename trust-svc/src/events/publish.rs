//! Publishing a signed event: judged in one order, accepted once, appended to the log.
//!
//! The order: form 422 → Origin 400/403 → signer's limit 429 → hash 422 → known signer and signature 401 → what the
//! signer may do 403 (told only to whoever holds its key) → the event's own members 422 → replay, id, revision and
//! state 409, in the transaction that appends.

use serde_json::Value;
use shared_model::{Code, Error, Failure, NextAction, Problem, Refusal, code};
use shared_runtime::{Answer, Anyone, Body, Conn, Context, Origin, SourceAddress, state::rate_limit::LimitClass};

use super::{Event, Publication, publication, store, view::Published};
use crate::{
    canonical::{self, EventHash},
    codes, log,
    markets::{self, Market, market::Misfit},
    signers::{self, KeyId, Signer},
    signing,
};

/// Publishing, per signer and source address. The address is part of it so that a stranger who sends somebody else's
/// key id, or replays what the log shows to everyone, uses up no bucket but its own.
pub const SIGNER: LimitClass = LimitClass { name: "signer", per_minute: 60 };

/// `POST /publish`: publishes a signed markets event.
pub async fn publish(
    _: Anyone,
    Body(publication): Body<Publication>,
    Origin(origin): Origin,
    SourceAddress(address): SourceAddress,
    context: Context,
) -> Result<Answer<Published>, Error> {
    if origin.as_deref() == Some("null") {
        return Err(codes::ORIGIN_DENIED.because("An opaque Origin (null) may not publish.").into());
    }
    let Publication { event, event_hash, signer_key_id, signature } = publication;
    let signature =
        signature.ok_or_else(|| unsigned(&codes::SIGNATURE_MISSING, "", "must have the member \"signature\""))?;
    let window = context.rate_limiter.charge(&SIGNER, &format!("{signer_key_id} {address}")).await;
    if window.exhausted {
        return Err(window.refusal().into());
    }

    let canonical = canonical::text(&event);
    require_hash(&event_hash, &canonical)?;
    let signer = find_signer(&context, &signer_key_id).await?;
    let signed = signing::text(context.base_url(), signer_key_id.as_str(), &event_hash);
    if !signing::is_valid(signer.public_key.verifying_key(), &signed, &signature) {
        let rule = format!("must be the Ed25519 signature of {signer_key_id} over the text {}", Value::from(signed));
        return Err(unsigned(&codes::SIGNATURE_INVALID, "/signature", rule).into());
    }

    let now = context.clock.now();
    signer.require_active(now)?;
    signer.require_origin(origin.as_deref())?;
    let event = Event::read(&Value::Object(event), now)
        .map_err(|problems| Refusal::problems(&code::INVALID_FIELD, problems))?;
    signer.require_allowed(&event)?;

    let leaf = publication::leaf(&canonical, &event_hash, &signer_key_id, &signature);
    let entry = Entry { event, event_hash, signer_key_id, leaf };
    let at = context.clone();
    let published = context.write(move |conn| append(conn, &entry, &at)).await?;
    Ok(Answer::ok(&published)?)
}

/// What is appended to the log, and what it says.
struct Entry {
    event: Event,
    event_hash: EventHash,
    signer_key_id: KeyId,
    leaf: String,
}

/// The transaction: appends the entry if it follows what is there.
fn append(conn: &mut Conn, entry: &Entry, context: &Context) -> Result<Published, Error> {
    log::take_turn(conn)?;
    let Entry { event, event_hash, signer_key_id, leaf } = entry;
    // Judged again, in the order of the log: after a revocation nothing more of the signer is appended.
    let now = context.clock.now();
    signers::store::find(conn, signer_key_id)?
        .ok_or_else(|| Failure::fault("a signer is gone"))?
        .require_active(now)?;

    if store::is_published(conn, event_hash)? {
        return Err(replayed(context, event_hash).into());
    }
    if store::has_id(conn, event.event_id)? {
        let problem = Problem { at: "/event/event_id".to_owned(), rule: "must be the id of no other event".to_owned() };
        return Err(codes::EVENT_ID_CONFLICT
            .because(format!("The event_id {} belongs to another event.", event.event_id))
            .next(NextAction::CorrectRequest { problems: vec![problem] })
            .into());
    }
    let market = markets::store::find(conn, event.market_id)?;
    let state = markets::market::follow(market.as_ref(), event)
        .map_err(|misfit| conflict(context, market.as_ref(), event, misfit))?;

    let published = Published {
        event_id: event.event_id,
        event_hash: *event_hash,
        market_id: event.market_id,
        revision: event.revision,
        state,
        published_at: now,
        log_index: log::append(conn, leaf)?,
    };
    store::insert(conn, &published, signer_key_id)?;
    markets::store::put(conn, &Market::after(&published), market.is_none())?;
    Ok(published)
}

async fn find_signer(context: &Context, key_id: &KeyId) -> Result<Signer, Error> {
    let sought = key_id.clone();
    let signer = context.read(move |conn| Ok(signers::store::find(conn, &sought)?)).await?;
    Ok(signer.ok_or_else(|| unsigned(&codes::UNKNOWN_SIGNER, "/signer_key_id", "must be the key id of a signer"))?)
}

fn require_hash(claimed: &EventHash, canonical: &str) -> Result<(), Refusal> {
    let actual = EventHash::of(canonical);
    if *claimed == actual {
        return Ok(());
    }
    let rule = format!("must be {actual}, the SHA-256 of the event's canonical JSON (RFC 8785)");
    Err(Refusal::problems(&codes::EVENT_HASH_MISMATCH, vec![Problem { at: "/event_hash".to_owned(), rule }]))
}

/// 401: HTTP asks for a challenge (RFC 9110 §11.6.1); this one names what is wanted, a signed body.
fn unsigned(code: &'static Code, at: &str, rule: impl Into<String>) -> Refusal {
    let problems = vec![Problem { at: at.to_owned(), rule: rule.into() }];
    code.refusal()
        .next(NextAction::CorrectRequest { problems })
        .header("www-authenticate", "Signature realm=\"service-trust/publish\"")
}

fn replayed(context: &Context, event_hash: &EventHash) -> Refusal {
    let href = context.href(&format!("/wp-json/service-trust/v1/events/{event_hash}"));
    codes::EVENT_REPLAYED.refusal().next(NextAction::UseReceipt { href })
}

fn conflict(context: &Context, market: Option<&Market>, event: &Event, misfit: Misfit) -> Refusal {
    let Event { market_id, kind, .. } = event;
    let refusal = match (misfit, market) {
        (Misfit::Revision, None) => codes::REVISION_CONFLICT.because(format!(
            "The market {market_id} has no revision yet; its first event must have revision 1 and prev_event_hash null."
        )),
        (Misfit::Revision, Some(Market { revision, event_hash, .. })) => codes::REVISION_CONFLICT.because(format!(
            "The market {market_id} is at revision {revision}; the next event must have revision {} and \
             prev_event_hash {event_hash}.",
            revision + 1
        )),
        (Misfit::State, None) => codes::MARKET_STATE_CONFLICT
            .because(format!("The first event of a market must be market.listed, not {kind}.")),
        (Misfit::State, Some(Market { state, .. })) => {
            codes::MARKET_STATE_CONFLICT.because(format!("A market that is {state} admits no event of kind {kind}."))
        }
    };
    refusal.next(match (misfit, market) {
        (_, Some(_)) => {
            let href = context.href(&format!("/wp-json/service-trust/v1/markets/{market_id}"));
            NextAction::Refresh { href, etag: None }
        }
        (Misfit::Revision, None) => {
            correct([("/event/revision", "must be 1"), ("/event/prev_event_hash", "must be null")])
        }
        (Misfit::State, None) => correct([("/event/kind", "must be market.listed")]),
    })
}

fn correct<const N: usize>(problems: [(&str, &str); N]) -> NextAction {
    let problems = problems.map(|(at, rule)| Problem { at: at.to_owned(), rule: rule.to_owned() });
    NextAction::CorrectRequest { problems: problems.into() }
}
