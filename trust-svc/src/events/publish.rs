//! Publishes a signed event.
//!
//! The order of checks: form 422 → Origin 400/403 → signer's limit 429 → hash 422 → known signer and signature 401.
//! Then replay 409 → active signer, Origin 403 → members 422 → kind, market 403 → id, revision, state 409. The last
//! step is in the transaction that appends to the log ([`super::append`]).

use serde::Serialize;
use serde_json::{Map, Value};
use shared_model::{Code, Error, Failure, NextAction, Problem, Refusal, Timestamp, code};
use shared_runtime::{
    Answer, Anyone, Body, Charge, Context, Origin, State, VerbLimit, base::failpoint, state::rate_limit::LimitClass,
};
use trust_log::{
    canonical,
    tlog::{
        NoteSigner,
        bundle::{EntryTooLong, MAX_ENTRY},
    },
};
use utoipa::ToSchema;

use super::{
    append::{AppendResult, QueuedEvent},
    publication::{Publication, SignatureFlaw, log_entry},
    sequencer::Sequencer,
    store::{self, EventRow},
};
use crate::{
    codes,
    log::{Leaf, LogPosition, LogProof, position},
    model::{Event, EventHash, EventId, KeyId, MarketId, MarketState},
    signers::{self, Signer},
};

/// The limit per signer and source address.
pub struct PerSigner;

impl VerbLimit for PerSigner {
    const CLASS: &'static LimitClass = &LimitClass { name: "signer", per_minute: 60 };
}

/// A published event: its place in its market and in the log, with the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Published {
    pub event_id: EventId,
    pub event_hash: EventHash,
    pub market_id: MarketId,
    /// The revision of the market after this event.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// The state of the market after this event.
    pub state: MarketState,
    /// By the server's clock.
    pub published_at: Timestamp,
    /// The position of the event in the log, and its proof.
    pub log: LogProof,
    /// The same proof as one text (c2sp.org/tlog-proof). With the published body and the log's key it proves offline,
    /// forever, that the log has the event. A repeated request gets the same receipt.
    #[schema(example = example_receipt)]
    pub receipt: String,
}

/// `POST /publish`
pub async fn publish(
    _: Anyone,
    Body(publication): Body<Publication>,
    Origin(origin): Origin,
    limit: Charge<PerSigner>,
    State(sequencer): State<Sequencer>,
    State(log_key): State<NoteSigner>,
    context: Context,
) -> Result<Answer<Published>, Error> {
    // Every sandboxed page has the origin "null", so no signer can own it.
    if origin.as_deref() == Some("null") {
        return Err(codes::ORIGIN_DENIED.because("An opaque Origin (null) may not publish.").into());
    }
    let signature = publication.signature.ok_or_else(|| unauthorized(&codes::SIGNATURE_MISSING))?;
    // Charged before the costly steps: hashing, a query, a signature check.
    limit.charge(&publication.signer_key_id).await?;

    let canonical = canonical::object_text(&publication.event);
    require_hash(&publication.event_hash, &canonical)?;
    let key_id = publication.signer_key_id.clone();
    let signer = context.read(move |conn| Ok(signers::store::find(conn, &key_id)?)).await?;
    let signer = signer.ok_or_else(|| unauthorized(&codes::UNKNOWN_SIGNER))?;
    let verified = publication.verify_signature(&signer.public_key, context.base_url());
    verified.map_err(|flaw| invalid_signature(&publication.signer_key_id, flaw))?;

    // Only now: a stranger without the signer's key must not learn what the signer may do.
    let now = context.clock.now();
    let Publication { event, event_hash, signer_key_id, .. } = publication;
    let event = match require_publishable(&signer, origin.as_deref(), event, now) {
        Ok(event) => event,
        // A published event stays published when its time is over and its signer revoked, so a replay comes before
        // these refusals. Only here: for all others the transaction looks the hash up anyway.
        Err(refusal) => return Err(replayed(event_hash, &log_key, &context).await?.unwrap_or(refusal).into()),
    };

    let leaf = Leaf::new(log_entry(&canonical, &event_hash, &signer_key_id, &signature)).map_err(too_long)?;
    let market_href = context.href(&format!("/wp-json/service-trust/v1/markets/{}", event.market_id));
    let queued = QueuedEvent { leaf, event, event_hash, signer_key_id, now, market_href };
    let result = sequencer.append(queued).await?;
    failpoint::hang("publish::before_answer").await;
    match result {
        AppendResult::Appended(row, position) => Ok(Answer::ok(&Published::new(*row, &position, &log_key)?)?),
        AppendResult::Replayed => {
            let refusal = replayed(event_hash, &log_key, &context).await?;
            Err(refusal.ok_or_else(|| Failure::unavailable("a published event cannot be read yet"))?.into())
        }
        AppendResult::Refused(refusal) => Err(refusal.into()),
    }
}

impl Published {
    pub fn new(row: EventRow, position: &LogPosition, log_key: &NoteSigner) -> Result<Self, Failure> {
        let (log, receipt) = position.prove(log_key)?;
        let EventRow { event_id, event_hash, market_id, revision, state, published_at, .. } = row;
        Ok(Self { event_id, event_hash, market_id, revision, state, published_at, log, receipt })
    }
}

// What the signer may do now, and the members of the event.
fn require_publishable(
    signer: &Signer,
    origin: Option<&str>,
    event: Map<String, Value>,
    now: Timestamp,
) -> Result<Event, Refusal> {
    signer.require_active(now)?;
    signer.require_origin(origin)?;
    let event = Event::read(&Value::Object(event), now)
        .map_err(|problems| Refusal::problems(&code::INVALID_FIELD, problems))?;
    signer.require_allowed(&event)?;
    Ok(event)
}

// 409 with the original receipt: a publisher that lost the answer needs nothing else. `None` if the event is not
// published.
async fn replayed(hash: EventHash, log_key: &NoteSigner, context: &Context) -> Result<Option<Refusal>, Error> {
    let found = context.read(move |conn| Ok(store::find(conn, &hash)?)).await?;
    let Some(found) = found else { return Ok(None) };
    let (_, receipt) = found.position.prove(log_key)?;
    let href = context.href(&format!("/wp-json/service-trust/v1/events/{hash}"));
    Ok(Some(codes::EVENT_REPLAYED.refusal().next(NextAction::UseReceipt { href, receipt: Some(receipt) })))
}

// 413. The body was within its limit, but canonical JSON can be longer: `1e15` becomes 16 digits.
fn too_long(error: EntryTooLong) -> Refusal {
    let rule = format!("must have a canonical form of at most {MAX_ENTRY} bytes, and has one of {}", error.bytes);
    Refusal::problems(&code::BODY_TOO_LARGE, vec![Problem { at: String::new(), rule }])
}

fn require_hash(stated: &EventHash, canonical: &str) -> Result<(), Refusal> {
    let actual = EventHash::from_canonical(canonical);
    if *stated == actual {
        return Ok(());
    }
    let rule = format!("must be {actual}, the SHA-256 of the event's canonical JSON (RFC 8785)");
    Err(Refusal::problems(&codes::EVENT_HASH_MISMATCH, vec![Problem { at: "/event_hash".to_owned(), rule }]))
}

// 401 needs a challenge (RFC 9110 §11.6.1). There is no registered scheme for a signed body, so ours names one.
fn unauthorized(code: &'static Code) -> Refusal {
    code.refusal().header("www-authenticate", "Signature realm=\"service-trust/publish\"")
}

fn invalid_signature(key_id: &KeyId, flaw: SignatureFlaw) -> Refusal {
    let refusal = unauthorized(&codes::SIGNATURE_INVALID);
    let SignatureFlaw::Invalid { signed_text } = flaw else { return refusal };
    // Most wrong signatures are over a wrong text, so the answer shows the right one.
    let rule = format!("must be the Ed25519 signature of {key_id} over the text {}", Value::from(signed_text));
    let problems = vec![Problem { at: "/signature".to_owned(), rule }];
    refusal.next(NextAction::CorrectRequest { problems })
}

pub fn example_receipt() -> String {
    format!("c2sp.org/tlog-proof@v1\nindex 0\n\n{}", position::example_checkpoint())
}
