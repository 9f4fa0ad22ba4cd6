//! Cosigns a log's checkpoint.
//!
//! The order of checks: form 400 → watched log 404 → the log's signature 403 → old size 409. Then same size, same root
//! 409 → consistency 422. The last three are in the transaction that stores the checkpoint. If two forks arrive at the
//! same time, only one is cosigned.

use actix_web::http::StatusCode;
use shared_model::{Error, Problem, Refusal, Timestamp, code};
use shared_runtime::{
    Anyone, Conn, Context, State, TextBody,
    base::failpoint,
    http::{
        contract::Contract,
        reply::{MediaType, Plain, Reply, ReplyBody, Success},
    },
    state::db::LaneKey,
};
use trust_log::{
    merkle::verify,
    tlog::witness::{AddCheckpoint, SIZE_MEDIA_TYPE, print_cosignatures, print_size},
};
use utoipa::ToSchema;

use super::{codes, keys::Witness, store};

/// Lines of signatures, in the format of a signed note.
#[derive(Debug, ToSchema)]
#[schema(
    example = "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)]
pub struct CosignatureLines(String);

impl MediaType for CosignatureLines {
    const MEDIA_TYPE: &'static str = "text/plain; charset=utf-8";
}

#[derive(Debug)]
pub enum AddCheckpointAnswer {
    /// 200
    Cosigned(CosignatureLines),
    /// 409: the proof must begin at this size, which the witness cosigned last.
    OtherSize(u64),
}

impl Success for AddCheckpointAnswer {
    fn describe(contract: &mut Contract) {
        Plain::<CosignatureLines>::describe(contract);
    }

    fn into_reply(self) -> Reply {
        let (status, media_type, text) = match self {
            Self::Cosigned(CosignatureLines(text)) => (StatusCode::OK, CosignatureLines::MEDIA_TYPE, text),
            Self::OtherSize(size) => (StatusCode::CONFLICT, SIZE_MEDIA_TYPE, print_size(size)),
        };
        let headers = vec![("content-type".to_owned(), media_type.to_owned())];
        Reply { status, body: ReplyBody::Plain(text.into_bytes()), headers }
    }
}

/// `POST /add-checkpoint`
pub async fn add_checkpoint(
    _: Anyone,
    TextBody(body): TextBody,
    State(witness): State<Witness>,
    context: Context,
) -> Result<AddCheckpointAnswer, Error> {
    let request = AddCheckpoint::parse(&body).map_err(|malformed| {
        let problem = Problem { at: String::new(), rule: malformed.to_string() };
        Refusal::problems(&code::INVALID_REQUEST, vec![problem]).because(malformed.to_string())
    })?;
    let origin = request.checkpoint.checkpoint().origin();
    let keys = witness.keys_of(origin);
    if keys.is_empty() {
        return Err(codes::UNKNOWN_LOG.refusal().into());
    }
    let note = request.checkpoint.note();
    note.open(&keys).map_err(|error| codes::CHECKPOINT_NOT_SIGNED.because(format!("The checkpoint: {error}.")))?;

    let (text, now) = (note.text().to_owned(), context.clock.now());
    // One lane for each log: its requests run one after another, without holding up other logs.
    let lane = LaneKey::from_name(origin.as_bytes());
    if let Some(size) = context.db.write_in(lane, move |conn| advance(conn, &request, now)).await? {
        return Ok(AddCheckpointAnswer::OtherSize(size));
    }
    failpoint::hang("witness::stored").await;
    // Sign only after the commit. If a signature left before, a crash could make the witness forget it and cosign a
    // fork.
    let seconds = now.seconds().max(0).unsigned_abs();
    Ok(AddCheckpointAnswer::Cosigned(CosignatureLines(print_cosignatures(&[witness
        .cosigner()
        .cosign(&text, seconds)]))))
}

/// Stores the checkpoint if the log has only grown. Returns the stored size if it is not the old size of the request.
fn advance(conn: &mut Conn, request: &AddCheckpoint, now: Timestamp) -> Result<Option<u64>, Error> {
    let AddCheckpoint { old_size, consistency, checkpoint: signed } = request;
    let (checkpoint, known) = (signed.checkpoint(), store::latest(conn, signed.checkpoint().origin())?);
    let (origin, size, root) = (checkpoint.origin(), checkpoint.size(), checkpoint.root());
    if *old_size != known.size {
        return Ok(Some(known.size));
    }
    if size == known.size && root != known.root {
        // The two signed checkpoints together prove the fork, so the log line has the whole note.
        tracing::error!(%origin, size, cosigned = %known.root, %root, note = %signed, "a log has signed a fork");
        let known = known.root;
        let message = format!("The witness has cosigned the tree of {size} leaves with the root {known}, not {root}.");
        return Err(codes::CHECKPOINT_FORKED.because(message).into());
    }
    verify::consistency(known.size, size, consistency, known.root, root).map_err(|error| {
        tracing::warn!(%origin, old_size, size, %error, "a consistency proof is not valid");
        codes::PROOF_INVALID.because(format!("The consistency proof is not valid: {error}."))
    })?;
    store::advance(conn, &known, signed, now)?;
    Ok(None)
}
