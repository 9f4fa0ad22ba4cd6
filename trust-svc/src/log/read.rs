//! Serves the log's checkpoint and its key.

use shared_model::{Error, Failure, openapi_schema};
use shared_runtime::{
    Anyone, Context, State,
    http::reply::{MediaType, Plain},
};
use trust_log::tlog::NoteSigner;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    head::read_head,
    position::{LogTree, example_checkpoint},
};
use crate::cosigning::{Witnesses, store};

pub struct CheckpointText;

impl MediaType for CheckpointText {
    const MEDIA_TYPE: &'static str = "text/plain; charset=utf-8";
}

impl PartialSchema for CheckpointText {
    fn schema() -> RefOr<Schema> {
        let about = "The log's signed checkpoint (c2sp.org/tlog-checkpoint).";
        openapi_schema::string(&[about]).examples([example_checkpoint()]).into()
    }
}

impl ToSchema for CheckpointText {}

pub struct VerifierKeyText;

impl MediaType for VerifierKeyText {
    const MEDIA_TYPE: &'static str = "text/plain; charset=utf-8";
}

impl PartialSchema for VerifierKeyText {
    fn schema() -> RefOr<Schema> {
        let example = "trust.example.com/wp-json/service-trust/v1/log+0d1c5aa0+\
                       AcoBrBkTY6L5mTvGYCcTYCmXm5yhYBmKvZOUzvHMdKCN\n";
        openapi_schema::string(&["The log's verifier key (c2sp.org/signed-note)."]).examples([example]).into()
    }
}

impl ToSchema for VerifierKeyText {}

/// `GET /log/checkpoint`
pub async fn checkpoint(
    _: Anyone,
    State(signer): State<NoteSigner>,
    State(witnesses): State<Option<Witnesses>>,
    context: Context,
) -> Result<Plain<CheckpointText>, Error> {
    let signed = public_checkpoint(&context, &signer, &witnesses).await?;
    Ok(Plain::new(signed.ok_or_else(|| Failure::unavailable("no checkpoint has enough cosignatures yet"))?))
}

/// The checkpoint that the service serves. `None` until enough witnesses have cosigned one.
pub async fn public_checkpoint(
    context: &Context,
    signer: &NoteSigner,
    witnesses: &Option<Witnesses>,
) -> Result<Option<String>, Error> {
    let (asked, has_witnesses) = (witnesses.clone(), witnesses.is_some());
    let (cosigned, head) = context
        .read(move |conn| {
            let cosigned = asked.as_ref().map(|witnesses| store::newest_cosigned(conn, witnesses)).transpose()?;
            let cosigned = cosigned.flatten();
            let head = if cosigned.is_none() { Some(read_head(conn)?) } else { None };
            Ok((cosigned, head))
        })
        .await?;
    let head = match (cosigned, head) {
        (Some(checkpoint), _) => return Ok(Some(checkpoint.to_string())),
        // Witnesses are not asked about an empty log: nothing in it can be hidden or changed.
        (None, Some(head)) if head.size() == 0 || !has_witnesses => head,
        // A checkpoint without cosignatures could belong to a second history, so clients must not get it.
        (None, _) => return Ok(None),
    };
    Ok(Some(LogTree::new(head.size(), head.root).checkpoint(signer)?.to_string()))
}

/// `GET /log/key`
pub async fn key(_: Anyone, State(signer): State<NoteSigner>) -> Result<Plain<VerifierKeyText>, Error> {
    Ok(Plain::new(format!("{}\n", signer.verifier_key())))
}
