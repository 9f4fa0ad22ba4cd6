//! Publishing a signed event.
//!
//! The order of checks: form 422 → Origin 400/403 → signer's limit 429 → hash 422 → known signer and signature 401 → what
//! the signer may do 403 (told only to whoever holds its key) → the event's own members 422 → replay, id, revision and state
//! 409, in the transaction that appends to the log ([`super::batch`]).

use ed25519_dalek::Signature;
use serde_json::{Map, Value};
use shared_model::{Code, Error, Failure, FromJson, JsonReader, NextAction, Problem, Refusal, code};
use shared_runtime::{
    Answer, Anyone, Body, Charge, Context, Origin, State, VerbLimit, base::failpoint, state::rate_limit::LimitClass,
};
use utoipa::ToSchema;

use super::{
    Event,
    batch::{Entry, Judged},
    published::Published,
    store,
};
use crate::{
    canonical::{self, EventHash},
    codes,
    log::Leaf,
    signers::{self, KeyId},
    signing,
    state::Trust,
    tlog::bundle::{EntryTooLong, MAX_ENTRY},
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
    State(trust): State<Trust>,
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

    let leaf = Leaf::new(signing::leaf(&canonical, &event_hash, &signer_key_id, &signature)).map_err(too_long)?;
    let market_href = context.href(&format!("/wp-json/service-trust/v1/markets/{}", event.market_id));
    let entry = Entry { leaf, event, event_hash, signer_key_id, now, market_href };
    trust.self_checks.require_intact()?;
    let judged = trust.sequencer.append(entry).await?;
    failpoint::hang("publish::before_answer").await;
    match judged {
        Judged::Published(row, place) => Ok(Answer::ok(&Published::new(*row, &place, &trust.signer)?)?),
        Judged::Replayed => Err(replayed(event_hash, &trust, &context).await?.into()),
        Judged::Refused(refusal) => Err(refusal.into()),
    }
}

/// 409 with the receipt that the event got when it was published.
async fn replayed(hash: EventHash, trust: &Trust, context: &Context) -> Result<Refusal, Error> {
    let found = context.read(move |conn| Ok(store::find(conn, &hash)?)).await?;
    let found = found.ok_or_else(|| Failure::unavailable("a published event cannot be read yet"))?;
    let (_, receipt) = found.place.shown(&trust.signer)?;
    let href = context.href(&format!("/wp-json/service-trust/v1/events/{hash}"));
    Ok(codes::EVENT_REPLAYED.refusal().next(NextAction::UseReceipt { href, receipt: Some(receipt) }))
}

/// 413: the canonical form may be longer than what was sent.
fn too_long(error: EntryTooLong) -> Refusal {
    let rule = format!("must have a canonical form of at most {MAX_ENTRY} bytes, and has one of {}", error.bytes);
    Refusal::problems(&code::BODY_TOO_LARGE, vec![Problem { at: String::new(), rule }])
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
