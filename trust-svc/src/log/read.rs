//! Reading what the log says of itself: its checkpoint and its key.

use shared_model::{Error, Failure, schema};
use shared_runtime::{
    Anyone, Context, State,
    http::reply::{MediaType, Plain},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    head,
    place::{self, Tree},
};
use crate::{cosigning::store, state::Trust};

/// A checkpoint.
pub struct CheckpointText;

impl MediaType for CheckpointText {
    const MEDIA_TYPE: &'static str = "text/plain; charset=utf-8";
}

impl PartialSchema for CheckpointText {
    fn schema() -> RefOr<Schema> {
        schema::string(&["The log's signed checkpoint (c2sp.org/tlog-checkpoint)."]).examples([place::example()]).into()
    }
}

impl ToSchema for CheckpointText {}

/// A verifier key.
pub struct VerifierKeyText;

impl MediaType for VerifierKeyText {
    const MEDIA_TYPE: &'static str = "text/plain; charset=utf-8";
}

impl PartialSchema for VerifierKeyText {
    fn schema() -> RefOr<Schema> {
        let example = "trust.example.com/wp-json/service-trust/v1/log+0d1c5aa0+\
                       AcoBrBkTY6L5mTvGYCcTYCmXm5yhYBmKvZOUzvHMdKCN\n";
        schema::string(&["The log's verifier key (c2sp.org/signed-note)."]).examples([example]).into()
    }
}

impl ToSchema for VerifierKeyText {}

/// `GET /log/checkpoint`: the size and root of the log as it is now, signed; where it has witnesses, as it was when enough of
/// them had last cosigned it.
pub async fn checkpoint(
    _: Anyone,
    State(trust): State<Trust>,
    context: Context,
) -> Result<Plain<CheckpointText>, Error> {
    let signed = signed_checkpoint(&context, &trust).await?;
    Ok(Plain::new(signed.ok_or_else(|| Failure::unavailable("no checkpoint has enough cosignatures yet"))?))
}

/// The checkpoint that everyone is answered; none while not enough witnesses have cosigned one.
pub async fn signed_checkpoint(context: &Context, trust: &Trust) -> Result<Option<String>, Error> {
    let witnesses = trust.witnesses.clone();
    let (cosigned, head) = context
        .read(move |conn| {
            let cosigned = witnesses.as_ref().map(|witnesses| store::newest_cosigned(conn, witnesses)).transpose()?;
            let cosigned = cosigned.flatten();
            let head = if cosigned.is_none() { Some(head::read(conn)?) } else { None };
            Ok((cosigned, head))
        })
        .await?;
    let head = match (cosigned, head) {
        (Some(checkpoint), _) => return Ok(Some(checkpoint.to_string())),
        (None, Some(head)) if head.size() == 0 || trust.witnesses.is_none() => head,
        (None, _) => return Ok(None),
    };
    let tree = Tree::new(head.size(), head.root);
    Ok(Some(tree.checkpoint(&trust.signer)?.to_string()))
}

/// `GET /log/key`: what the log's signatures are checked with.
pub async fn key(_: Anyone, State(trust): State<Trust>) -> Result<Plain<VerifierKeyText>, Error> {
    Ok(Plain::new(format!("{}\n", trust.signer.verifier_key())))
}
