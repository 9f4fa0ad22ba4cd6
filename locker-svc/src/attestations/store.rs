//! Queries of attestors and attestations.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey, on_each};

use super::attestor::{Attestor, AttestorKeyId};
use crate::{
    image_digest::ImageDigest,
    tables::{attestations, attestors},
};

pub fn list_attestors(conn: &mut Conn) -> Result<Vec<Attestor>, Failure> {
    Ok(attestors::table.order((attestors::added_at, attestors::key_id)).load(conn)?)
}

/// Includes revoked attestors.
pub fn find_attestor(conn: &mut Conn, key_id: &AttestorKeyId) -> Result<Option<Attestor>, Failure> {
    Ok(attestors::table.find(key_id).first(conn).optional()?)
}

pub fn insert_attestor(conn: &mut Conn, attestor: &Attestor) -> Result<(), Failure> {
    diesel::insert_into(attestors::table).values(attestor).execute(conn)?;
    Ok(())
}

/// Marks every unrevoked attestor with this key as revoked. An older database may have one key under several ids.
pub fn revoke_key(conn: &mut Conn, key: PublicKey, at: Timestamp) -> Result<(), Failure> {
    let unrevoked = attestors::table.filter(attestors::public_key.eq(key)).filter(attestors::revoked_at.is_null());
    diesel::update(unrevoked).set(attestors::revoked_at.eq(Some(at))).execute(conn)?;
    Ok(())
}

/// Stores an attestation of an image. It replaces an earlier one by the same attestor.
pub fn put(
    conn: &mut Conn,
    image: &ImageDigest,
    by: &AttestorKeyId,
    envelope: &str,
    now: Timestamp,
) -> Result<(), Failure> {
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

/// The attestors and envelopes of an image, oldest first.
pub fn list_for_image(conn: &mut Conn, image: &ImageDigest) -> Result<Vec<(Attestor, String)>, Failure> {
    let of_image = attestations::table
        .inner_join(attestors::table)
        .filter(attestations::image_digest.eq(image))
        .order(attestations::recorded_at)
        .select((attestors::all_columns, attestations::envelope));
    Ok(of_image.load(conn)?)
}
