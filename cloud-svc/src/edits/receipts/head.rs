//! `GET /v1/receipts/head`: a signed statement that names the last receipt of the workspace.

use cloud_receipts::{HEAD, signer::Signer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{Answer, Caller, Context, State};
use utoipa::ToSchema;

use super::store::{self, Link};
use crate::base::{ids::WorkspaceId, permissions::ReadFiles};

/// Which receipt is the last.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HeadStatement {
    /// `fourfold.receipts-head.v1`.
    #[serde(rename = "type")]
    #[schema(example = "fourfold.receipts-head.v1")]
    pub kind: String,
    pub workspace_id: WorkspaceId,
    /// The number of receipts.
    #[schema(minimum = 0, example = 2)]
    pub sequence: i64,
    /// SHA-256 of the last statement; null without receipts.
    #[schema(
        required,
        pattern = "^[0-9a-f]{64}$",
        example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    )]
    pub receipt_sha256: Option<String>,
    /// When it was signed.
    pub at: Timestamp,
    /// The key that signed it.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "0123456789abcdef0123456789abcdef")]
    pub key_id: String,
}

/// A signed statement about the end of the chain.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ReceiptHead {
    #[schema(value_type = HeadStatement)]
    pub statement: Box<RawValue>,
    /// Ed25519 over the canonical JSON (RFC 8785) of the statement, as base64.
    #[schema(
        pattern = "^[A-Za-z0-9+/]{86}==$",
        example = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw=="
    )]
    pub signature: String,
}

#[derive(Serialize, Deserialize, ToSchema)]
pub struct HeadAnswer {
    pub head: ReceiptHead,
}

// Signed for each request: there is nothing to store, and a fresh time shows that the end is still the end.
pub async fn read(
    caller: Caller<ReadFiles>,
    context: Context,
    State(signer): State<Signer>,
) -> Result<Answer<HeadAnswer>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let last = context.look_up(move |conn| Ok(store::last(conn, owner)?)).await?;
    let head = sign(&signer, owner, last, context.clock.now())?;
    Ok(Answer::ok(&HeadAnswer { head })?)
}

pub fn sign(signer: &Signer, owner: WorkspaceId, last: Option<Link>, at: Timestamp) -> Result<ReceiptHead, Failure> {
    let statement = HeadStatement {
        kind: HEAD.to_owned(),
        workspace_id: owner,
        sequence: last.as_ref().map_or(0, |last| last.sequence),
        receipt_sha256: last.map(|last| last.sha256),
        at,
        key_id: signer.key_id().to_owned(),
    };
    let signed = signer.sign(&serde_json::to_value(&statement)?);
    Ok(ReceiptHead { statement: RawValue::from_string(signed.statement)?, signature: signed.signature })
}
