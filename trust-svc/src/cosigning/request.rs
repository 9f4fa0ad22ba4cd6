//! Requests a cosignature on one checkpoint from one witness.

use std::{fmt, slice, time::Duration};

use shared_model::{Error, text::printable};
use shared_runtime::{
    Context,
    state::outbound::{Deadline, HeaderMap, Method, OutboundError, Reply, Request, StatusCode, header},
};
use trust_log::{
    merkle::Hash,
    tlog::{
        Malformed, NoteSignature, SignedCheckpoint, note,
        note::OpenError,
        witness::{AddCheckpoint, SIZE_MEDIA_TYPE, parse_cosignatures, parse_size},
    },
};

use super::{RemoteWitness, WitnessedLog, store};

// Covers name resolution, connection, request and answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
// Characters of a refusal that are logged.
const MAX_LOGGED: usize = 200;

/// The client of one witness.
pub struct CosignatureClient<L> {
    context: Context,
    witness: RemoteWitness,
    log: L,
    /// The size that the witness cosigned last, as far as the log knows.
    cosigned_size: u64,
}

#[derive(Debug)]
pub enum CosignError {
    Outbound(OutboundError),
    Refused {
        status: StatusCode,
        /// The beginning of the body, printable.
        body: String,
    },
    /// The answer does not have the format of C2SP.
    Malformed(Malformed),
    /// The answer has no valid signature of the witness on this checkpoint.
    Unsigned(OpenError),
    /// The witness has cosigned a larger tree than the log has: the log has lost entries.
    Ahead {
        cosigned: u64,
        size: u64,
    },
    /// The witness reported another size twice: somebody else submits checkpoints of this log.
    Unsettled {
        cosigned: u64,
    },
    /// The log itself failed, not the witness.
    Log(Error),
}

impl<L: WitnessedLog> CosignatureClient<L> {
    pub async fn new(context: Context, witness: RemoteWitness, log: L) -> Result<Self, Error> {
        let key = witness.key.clone();
        let cosigned_size = context.read(move |conn| Ok(store::largest(conn, &key)?)).await?;
        Ok(Self { context, witness, log, cosigned_size })
    }

    pub fn witness(&self) -> &RemoteWitness {
        &self.witness
    }

    pub fn cosigned_size(&self) -> u64 {
        self.cosigned_size
    }

    /// Gets the cosignature and stores it. Sends nothing if it is stored already, or if the witness has cosigned a
    /// later checkpoint.
    pub async fn cosign(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), CosignError> {
        let (size, key) = (checkpoint.checkpoint().size(), self.witness.key.clone());
        if self.context.read(move |conn| Ok(store::has(conn, size, &key)?)).await? {
            self.cosigned_size = self.cosigned_size.max(size);
            return Ok(());
        }
        // The proof must begin at the size that the witness knows. If our size is out of date, the witness answers 409
        // with its own size, and the second attempt starts there.
        // Nobody has signed that size, so it counts for this attempt only.
        let mut cosigned = self.cosigned_size;
        for _ in 0..2 {
            if cosigned > size {
                return self.require_not_ahead(cosigned).await;
            }
            let consistency = self.log.consistency(cosigned, size).await?;
            let reply = self.send(cosigned, consistency, checkpoint).await?;
            let media_type = reply.headers.get(header::CONTENT_TYPE).map(|value| value.as_bytes());
            match reply.status {
                StatusCode::OK => return self.store(checkpoint, &reply.body).await,
                StatusCode::CONFLICT if media_type == Some(SIZE_MEDIA_TYPE.as_bytes()) => {
                    cosigned = parse_size(&reply.body)?;
                }
                status => {
                    let body: String = String::from_utf8_lossy(&reply.body).trim().chars().take(MAX_LOGGED).collect();
                    return Err(CosignError::Refused { status, body: printable(&body).to_string() });
                }
            }
        }
        Err(CosignError::Unsettled { cosigned })
    }

    // A later size than the submitted one is normal: another process of the log may have submitted it. A later size
    // than the log itself means that the log was rolled back, for instance to an old backup.
    async fn require_not_ahead(&self, cosigned: u64) -> Result<(), CosignError> {
        let size = self.log.latest().await?.checkpoint().size();
        if cosigned > size { Err(CosignError::Ahead { cosigned, size }) } else { Ok(()) }
    }

    async fn send(
        &self,
        old_size: u64,
        consistency: Vec<Hash>,
        checkpoint: &SignedCheckpoint,
    ) -> Result<Reply, CosignError> {
        let body = AddCheckpoint { old_size, consistency, checkpoint: checkpoint.clone() };
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/plain; charset=utf-8"));
        let body = body.to_string().into();
        let request = Request { method: Method::POST, path: "/add-checkpoint", headers, body };
        let deadline = Deadline::after(REQUEST_TIMEOUT);
        let connection = self.context.outbound.resolve(&self.witness.target, deadline).await?.connect(deadline).await?;
        Ok(connection.send(request, note::MAX_BYTES, deadline).await?)
    }

    /// Stores the witness's cosignature if it is among these lines and valid.
    async fn store(&mut self, checkpoint: &SignedCheckpoint, lines: &[u8]) -> Result<(), CosignError> {
        let (key, size) = (&self.witness.key, checkpoint.checkpoint().size());
        let own: Vec<NoteSignature> = parse_cosignatures(lines)?.into_iter().filter(|line| line.is_by(key)).collect();
        let cosigned = checkpoint.clone().with(own.clone())?;
        cosigned.note().open(slice::from_ref(key)).map_err(CosignError::Unsigned)?;
        let now = self.context.clock.now();
        let store = move |conn: &mut _| own.iter().try_for_each(|line| Ok(store::add(conn, size, line, now)?));
        self.context.write(store).await?;
        self.cosigned_size = size;
        Ok(())
    }
}

impl From<OutboundError> for CosignError {
    fn from(error: OutboundError) -> Self {
        Self::Outbound(error)
    }
}

impl From<Malformed> for CosignError {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error)
    }
}

impl From<Error> for CosignError {
    fn from(error: Error) -> Self {
        Self::Log(error)
    }
}

impl fmt::Display for CosignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outbound(error) => error.fmt(f),
            Self::Refused { status, body } => write!(f, "the witness answered {status}: {body}"),
            Self::Malformed(error) => write!(f, "the answer of the witness: {error}"),
            Self::Unsigned(error) => write!(f, "the cosignature: {error}"),
            Self::Ahead { cosigned, size } => {
                write!(
                    f,
                    "the witness has cosigned {cosigned} entries, but the log has {size}: the log was rolled back"
                )
            }
            Self::Unsettled { cosigned } => {
                write!(
                    f,
                    "the witness has cosigned {cosigned} entries by now: another program submits this log's checkpoints"
                )
            }
            Self::Log(Error::Refused(refusal)) => f.write_str(&refusal.message),
            Self::Log(Error::Failed(failure)) => failure.fmt(f),
        }
    }
}

impl std::error::Error for CosignError {}
