//! An attestor and its key.

use diesel::prelude::*;
use shared_model::Timestamp;
use shared_runtime::PublicKey;

use crate::tables::attestors;

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
    pub key_id: AttestorKeyId,
    pub public_key: PublicKey,
    pub added_at: Timestamp,
    // From then on, signatures that it made before do not count either: nobody knows since when the key was stolen.
    pub revoked_at: Option<Timestamp>,
}

impl Attestor {
    // The time does not matter: the clock of the machine that revoked it may be ahead.
    pub fn is_active(&self) -> bool {
        self.revoked_at.is_none()
    }
}
