//! Asking one witness for its cosignature on one checkpoint.

use std::{fmt, slice, time::Duration};

use shared_model::{Error, text::printable};
use shared_runtime::{
    Context,
    state::outbound::{Deadline, HeaderMap, Method, OutboundError, Reply, Request, StatusCode, header},
};

use super::{AskedWitness, WitnessedLog, store};
use crate::{
    merkle::Hash,
    tlog::{
        Malformed, NoteSignature, SignedCheckpoint, note,
        note::OpenError,
        witness::{AddCheckpoint, SIZE_MEDIA_TYPE, parse_cosignatures, parse_size},
    },
};

/// For each request, from the resolution of the name to the last byte.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Characters of a witness's words that are told.
const SHOWN: usize = 200;

/// Asks one witness, and knows the size that it has cosigned last.
pub struct Asker<L> {
    context: Context,
    witness: AskedWitness,
    log: L,
    known: u64,
}

/// Why there is no cosignature.
#[derive(Debug)]
pub enum AskError {
    /// The witness did not answer.
    Outbound(OutboundError),
    /// It refused.
    Refused {
        /// The status.
        status: StatusCode,
        /// Its words, a piece of a line.
        words: String,
    },
    /// Its answer is not of the format.
    Malformed(Malformed),
    /// Its answer has no signature of its own on this checkpoint.
    Unsigned(OpenError),
    /// It has cosigned a larger tree than the log has.
    Ahead {
        /// The size of that tree.
        cosigned: u64,
        /// The size of the log.
        size: u64,
    },
    /// It named another size twice: somebody else submits checkpoints of this log.
    Unsettled {
        /// The size that it named last.
        cosigned: u64,
    },
    /// The log's own side failed.
    Log(Error),
}

impl<L: WitnessedLog> Asker<L> {
    /// For this witness.
    pub async fn new(context: Context, witness: AskedWitness, log: L) -> Result<Self, Error> {
        let key = witness.key.clone();
        let known = context.read(move |conn| Ok(store::largest(conn, &key)?)).await?;
        Ok(Self { context, witness, log, known })
    }

    /// The witness.
    pub fn witness(&self) -> &AskedWitness {
        &self.witness
    }

    /// The size that the witness has cosigned last, as far as is known.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// Has the checkpoint cosigned, and stores the cosignature. Nothing is asked when it is stored already, or when the
    /// witness has cosigned a later checkpoint of the log.
    pub async fn cosign(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AskError> {
        let (size, key) = (checkpoint.checkpoint().size(), self.witness.key.clone());
        if self.context.read(move |conn| Ok(store::has(conn, size, &key)?)).await? {
            self.known = self.known.max(size);
            return Ok(());
        }
        // The second time for the size that the witness names.
        for _ in 0..2 {
            if self.known > size {
                return self.is_ahead().await;
            }
            let consistency = self.log.consistency(self.known, size).await?;
            let reply = self.send(consistency, checkpoint).await?;
            let media_type = reply.headers.get(header::CONTENT_TYPE).map(|value| value.as_bytes());
            match reply.status {
                StatusCode::OK => return self.keep(checkpoint, &reply.body).await,
                StatusCode::CONFLICT if media_type == Some(SIZE_MEDIA_TYPE.as_bytes()) => {
                    self.known = parse_size(&reply.body)?;
                }
                status => {
                    let words: String = String::from_utf8_lossy(&reply.body).trim().chars().take(SHOWN).collect();
                    return Err(AskError::Refused { status, words: printable(&words).to_string() });
                }
            }
        }
        Err(AskError::Unsettled { cosigned: self.known })
    }

    /// Another process of the log may have submitted a later checkpoint; a witness that knows more than the log itself has
    /// seen what the log has lost.
    async fn is_ahead(&self) -> Result<(), AskError> {
        let size = self.log.latest().await?.checkpoint().size();
        if self.known > size { Err(AskError::Ahead { cosigned: self.known, size }) } else { Ok(()) }
    }

    async fn send(&self, consistency: Vec<Hash>, checkpoint: &SignedCheckpoint) -> Result<Reply, AskError> {
        let body = AddCheckpoint { old_size: self.known, consistency, checkpoint: checkpoint.clone() };
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/plain; charset=utf-8"));
        let body = body.to_string().into();
        let request = Request { method: Method::POST, path: "/add-checkpoint", headers, body };
        let deadline = Deadline::after(TIMEOUT);
        let connection = self.context.outbound.find(&self.witness.target, deadline).await?.connect(deadline).await?;
        Ok(connection.send(request, note::MAX_BYTES, deadline).await?)
    }

    /// Stores the witness's cosignature, if it is among these lines and holds.
    async fn keep(&mut self, checkpoint: &SignedCheckpoint, lines: &[u8]) -> Result<(), AskError> {
        let (key, size) = (&self.witness.key, checkpoint.checkpoint().size());
        let own: Vec<NoteSignature> = parse_cosignatures(lines)?.into_iter().filter(|line| line.is_by(key)).collect();
        let cosigned = checkpoint.clone().with(own.clone())?;
        cosigned.note().open(slice::from_ref(key)).map_err(AskError::Unsigned)?;
        let now = self.context.clock.now();
        let store = move |conn: &mut _| own.iter().try_for_each(|line| Ok(store::add(conn, size, line, now)?));
        self.context.write(store).await?;
        self.known = size;
        Ok(())
    }
}

impl From<OutboundError> for AskError {
    fn from(error: OutboundError) -> Self {
        Self::Outbound(error)
    }
}

impl From<Malformed> for AskError {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error)
    }
}

impl From<Error> for AskError {
    fn from(error: Error) -> Self {
        Self::Log(error)
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outbound(error) => error.fmt(f),
            Self::Refused { status, words } => write!(f, "the witness answered {status}: {words}"),
            Self::Malformed(error) => write!(f, "the answer of the witness: {error}"),
            Self::Unsigned(error) => write!(f, "the cosignature: {error}"),
            Self::Ahead { cosigned, size } => {
                write!(f, "the witness has cosigned {cosigned} entries, and the log has {size}: it was rolled back")
            }
            Self::Unsettled { cosigned } => {
                write!(
                    f,
                    "the witness has cosigned {cosigned} entries by now: who else submits this log's checkpoints?"
                )
            }
            Self::Log(Error::Refused(refusal)) => f.write_str(&refusal.message),
            Self::Log(Error::Failed(failure)) => failure.fmt(f),
        }
    }
}

impl std::error::Error for AskError {}
