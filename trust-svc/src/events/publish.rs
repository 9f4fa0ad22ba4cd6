//! Publishing a signed event.
//!
//! The order of checks: form 422 → Origin 400/403 → signer's limit 429 → hash 422 → known signer and signature 401 → what
//! the signer may do 403 (told only to whoever holds its key) → the event's own members 422 → replay, id, revision and state
//! 409, in the transaction that appends to the log.

use ed25519_dalek::Signature;
use serde_json::{Map, Value};
use shared_model::{Code, Error, Failure, FromJson, JsonReader, NextAction, Problem, Refusal, Timestamp, code};
use shared_runtime::{Answer, Anyone, Body, Charge, Conn, Context, Origin, VerbLimit, state::rate_limit::LimitClass};
use utoipa::ToSchema;

use super::{
    Event,
    store::{self, Published},
};
use crate::{
    canonical::{self, EventHash},
    codes, log,
    markets::{self, Market},
    signers::{self, KeyId},
    signing,
};

/// Publishing, per signer and source address.
pub struct PerSigner;

impl VerbLimit for PerSigner {
    const CLASS: &'static LimitClass = &LimitClass { name: "signer", per_minute: 60 };
}

/// A signed event as it is sent.
#[derive(Clone, Debug, ToSchema)]
pub struct Publication {
    /// The event; every number in it within ±(2^53 - 1).
    #[schema(value_type = Event)]
    pub event: Map<String, Value>,
    /// `sha256:` + the SHA-256 of the event's canonical JSON (RFC 8785).
    pub event_hash: EventHash,
    /// Whose signature it is.
    pub signer_key_id: KeyId,
    /// Padded base64 of the Ed25519 signature over the text
    /// `service-trust/publish/v1\n{base url}\n{signer_key_id}\n{event_hash}\n`. Absent: 401, as a missing credential is.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9+/]{85}[AQgw]==$", required, example = signing::example)]
    pub signature: Option<Signature>,
}

impl FromJson for Publication {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let event = object.required("event", |reader| {
                let numbers = reader.open_object(|_| canonical::check_numbers(reader));
                reader.value().as_object().cloned().filter(|_| numbers.is_some())
            });
            let event_hash = object.required("event_hash", EventHash::from_json);
            let signer_key_id = object.required("signer_key_id", KeyId::from_json);
            let signature = object.optional("signature", signing::read);
            match (event, event_hash, signer_key_id, signature) {
                (Some(event), Some(event_hash), Some(signer_key_id), Some(signature)) => {
                    Some(Self { event, event_hash, signer_key_id, signature })
                }
                (_, _, _, Some(None)) => object.refuse("must have the member \"signature\""),
                _ => None,
            }
        })
    }
}

/// `POST /publish`: publishes a signed market event.
pub async fn publish(
    _: Anyone,
    Body(publication): Body<Publication>,
    Origin(origin): Origin,
    limit: Charge<PerSigner>,
    context: Context,
) -> Result<Answer<Published>, Error> {
    if origin.as_deref() == Some("null") {
        return Err(codes::ORIGIN_DENIED.because("An opaque Origin (null) may not publish.").into());
    }
    let Publication { event, event_hash, signer_key_id, signature } = publication;
    let signature = signature.ok_or_else(|| unauthorized(&codes::SIGNATURE_MISSING))?;
    limit.charge(&signer_key_id).await?;

    let canonical = canonical::text(&event);
    require_hash(&event_hash, &canonical)?;
    let sought = signer_key_id.clone();
    let signer = context.read(move |conn| Ok(signers::store::find(conn, &sought)?)).await?;
    let signer = signer.ok_or_else(|| unauthorized(&codes::UNKNOWN_SIGNER))?;
    let signed = signing::text(context.base_url(), signer_key_id.as_str(), &event_hash);
    if !signing::is_valid(&signer.public_key, &signed, &signature) {
        return Err(invalid_signature(&signer_key_id, signed).into());
    }

    let now = context.clock.now();
    signer.require_active(now)?;
    signer.require_origin(origin.as_deref())?;
    let event = Event::read(&Value::Object(event), now)
        .map_err(|problems| Refusal::problems(&code::INVALID_FIELD, problems))?;
    signer.require_allowed(&event)?;

    let entry = Entry {
        leaf: signing::leaf(&canonical, &event_hash, &signer_key_id, &signature),
        event_href: context.href(&format!("/wp-json/service-trust/v1/events/{event_hash}")),
        market_href: context.href(&format!("/wp-json/service-trust/v1/markets/{}", event.market_id)),
        event,
        event_hash,
        signer_key_id,
        now,
    };
    Ok(Answer::ok(&context.write(move |conn| append(conn, &entry)).await?)?)
}

/// What is appended to the log, and what its refusals say.
struct Entry {
    leaf: String,
    event: Event,
    event_hash: EventHash,
    signer_key_id: KeyId,
    /// When the request was checked, before it waited for its turn.
    now: Timestamp,
    event_href: String,
    market_href: String,
}

/// The transaction: appends the entry if it follows what is in the log.
fn append(conn: &mut Conn, entry: &Entry) -> Result<Published, Error> {
    log::take_turn(conn)?;
    let Entry { event, event_hash, signer_key_id, now, .. } = entry;
    // The signer may have been revoked since the request was checked. A stored revocation counts whatever its time, so that
    // nothing of the signer stands in the log after it, though `now` is older than this turn.
    let signer = signers::store::find(conn, signer_key_id)?.ok_or_else(|| Failure::fault("a signer is gone"))?;
    signer.require_active(*now)?;

    if store::is_published(conn, event_hash)? {
        let href = entry.event_href.clone();
        return Err(codes::EVENT_REPLAYED.refusal().next(NextAction::UseReceipt { href }).into());
    }
    if store::has_id(conn, event.event_id)? {
        let message = format!("The event_id {} belongs to another event.", event.event_id);
        return Err(codes::EVENT_ID_CONFLICT.because(message).into());
    }
    let latest = markets::store::find(conn, event.market_id)?;
    let market = Market::after(latest.as_ref(), event, *event_hash, *now, &entry.market_href)?;

    let published = Published {
        event_id: event.event_id,
        event_hash: *event_hash,
        market_id: event.market_id,
        revision: event.revision,
        state: market.state,
        published_at: market.updated_at,
        log_index: log::append(conn, &entry.leaf)?,
    };
    store::insert(conn, &published, signer_key_id)?;
    markets::store::put(conn, &market, latest.is_none())?;
    Ok(published)
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
fn unauthorized(code: &'static Code) -> Refusal {
    code.refusal().header("www-authenticate", "Signature realm=\"service-trust/publish\"")
}

fn invalid_signature(key_id: &KeyId, signed: String) -> Refusal {
    let rule = format!("must be the Ed25519 signature of {key_id} over the text {}", Value::from(signed));
    let problems = vec![Problem { at: "/signature".to_owned(), rule }];
    unauthorized(&codes::SIGNATURE_INVALID).next(NextAction::CorrectRequest { problems })
}
