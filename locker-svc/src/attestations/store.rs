//! Where attestors and what they said rest.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey, on_each};

use super::{Attestor, KeyId};
use crate::{
    image_digest::ImageDigest,
    schema::{attestations, attestors},
};

#[derive(Queryable)]
struct Row {
    key_id: KeyId,
    public_key: Vec<u8>,
    added_at: Timestamp,
    revoked_at: Option<Timestamp>,
}

impl Row {
    fn into_attestor(self) -> Result<Attestor, Failure> {
        let Self { key_id, public_key, added_at, revoked_at } = self;
        let bytes = <[u8; 32]>::try_from(public_key).map_err(|_| Failure::fault("a stored key is not 32 bytes"))?;
        let public_key =
            PublicKey::from_bytes(&bytes).map_err(|rule| Failure::fault(format!("a stored key {rule}")))?;
        Ok(Attestor { key_id, public_key, added_at, revoked_at })
    }
}

/// All attestors, the latest last.
pub fn attestors(conn: &mut Conn) -> Result<Vec<Attestor>, Failure> {
    let rows = attestors::table.order((attestors::added_at, attestors::key_id)).load::<Row>(conn)?;
    rows.into_iter().map(Row::into_attestor).collect()
}

/// The attestor with this key id, revoked or not.
pub fn find_attestor(conn: &mut Conn, key_id: &KeyId) -> Result<Option<Attestor>, Failure> {
    attestors::table.find(key_id).first::<Row>(conn).optional()?.map(Row::into_attestor).transpose()
}

/// Stores an attestor of a new key id.
pub fn insert_attestor(conn: &mut Conn, attestor: &Attestor) -> Result<(), Failure> {
    diesel::insert_into(attestors::table)
        .values((
            attestors::key_id.eq(&attestor.key_id),
            attestors::public_key.eq(attestor.public_key.as_bytes().to_vec()),
            attestors::added_at.eq(attestor.added_at),
            attestors::revoked_at.eq(attestor.revoked_at),
        ))
        .execute(conn)?;
    Ok(())
}

/// Notes since when an attestor is revoked; whether there is such an attestor that was not revoked before.
pub fn set_revoked_at(conn: &mut Conn, key_id: &KeyId, at: Timestamp) -> Result<bool, Failure> {
    let unrevoked = attestors::table.find(key_id).filter(attestors::revoked_at.is_null());
    Ok(diesel::update(unrevoked).set(attestors::revoked_at.eq(Some(at))).execute(conn)? == 1)
}

/// Stores what an attestor said of an image, in the place of what it said before.
pub fn put(conn: &mut Conn, image: &ImageDigest, by: &KeyId, envelope: &str, now: Timestamp) -> Result<(), Failure> {
    use attestations::dsl;
    let row = (dsl::image_digest.eq(image), dsl::key_id.eq(by), dsl::envelope.eq(envelope), dsl::recorded_at.eq(now));
    on_each!(conn, |c| diesel::insert_into(dsl::attestations)
        .values(row)
        .on_conflict((dsl::image_digest, dsl::key_id))
        .do_update()
        .set(dsl::envelope.eq(envelope))
        .execute(c))?;
    Ok(())
}

/// What was said of an image, and by whom.
pub fn of_image(conn: &mut Conn, image: &ImageDigest) -> Result<Vec<(Attestor, String)>, Failure> {
    let columns = (attestors::key_id, attestors::public_key, attestors::added_at, attestors::revoked_at);
    let rows: Vec<(Row, String)> = attestations::table
        .inner_join(attestors::table)
        .filter(attestations::image_digest.eq(image))
        .order(attestations::recorded_at)
        .select((columns, attestations::envelope))
        .load(conn)?;
    rows.into_iter().map(|(row, envelope)| Ok((row.into_attestor()?, envelope))).collect()
}
