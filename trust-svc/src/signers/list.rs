//! Lists the signers.

use serde::Serialize;
use shared_model::{Cursor, Error, limits};
use shared_runtime::{
    Answer, Anyone, Context, Query,
    http::list::{Page, Position},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ArrayBuilder, Ref, RefOr, Schema},
};

use super::{Signer, SignerRecord, store};

/// A page of signers.
// A list type of its own: the contract wants a bound on the number of items, which `Vec` cannot state.
#[derive(Debug, Serialize)]
pub struct Signers(Vec<SignerRecord>);

impl PartialSchema for Signers {
    fn schema() -> RefOr<Schema> {
        let signer = Ref::from_schema_name(SignerRecord::name());
        ArrayBuilder::new().items(signer).max_items(Some(limits::LIST_MAX as usize)).into()
    }
}

impl ToSchema for Signers {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((SignerRecord::name().into_owned(), SignerRecord::schema()));
        SignerRecord::schemas(schemas);
    }
}

/// `GET /signers`: all signers that were ever registered, the latest first.
pub async fn list(_: Anyone, Query(page): Query<Page>, context: Context) -> Result<Answer<Signers>, Error> {
    let now = context.clock.now();
    let cursors = Cursor::for_list(&context.secret, "list_signers", "", "");
    let (after, rows) = (page.start(&cursors, now)?, page.rows());
    let found = context.read(move |conn| Ok(store::list(conn, &after, rows)?)).await?;
    let (found, has_more) = page.cut(found);
    let position = |last: &Signer| Position::after(last.created_at, last.key_id.clone()).to_string();
    let next = found.last().filter(|_| has_more).map(|last| cursors.encode(&position(last), now));
    let records = Signers(found.into_iter().map(SignerRecord::from).collect());
    Ok(Answer::ok(&records)?.page(next))
}
