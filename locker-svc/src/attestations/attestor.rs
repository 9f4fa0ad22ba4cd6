//! An attestor: whose signature makes an image good.

use diesel::prelude::*;
use shared_model::Timestamp;
use shared_runtime::PublicKey;

use crate::schema::attestors;

shared_model::text_type! {
    /// The id of an attestor's key.
    pub struct AttestorKeyId {
        pattern = "^[!-~]{1,100}$",
        example = "build-1",
        rule = "must be 1 to 100 visible ASCII characters",
        check = |text| (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()),
    }
}

/// A person or program that examines images and signs for them.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = attestors)]
pub struct Attestor {
    /// The id of its key.
    pub key_id: AttestorKeyId,
    /// Its key.
    pub public_key: PublicKey,
    /// When it was registered.
    pub added_at: Timestamp,
    /// When it was revoked: from then on not even what it signed before counts.
    pub revoked_at: Option<Timestamp>,
}

impl Attestor {
    /// Whether its signatures count now.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none_or(|at| now < at)
    }
}
