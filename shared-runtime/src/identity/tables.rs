//! The tables of grants and revocations.

diesel::table! {
    grants (grant_id) {
        grant_id -> Text,
        subject -> Text,
        /// Only for services with workspaces.
        workspace_id -> Nullable<BigInt>,
        first_seen_at -> BigInt,
        /// When the last token seen of it expires.
        expires_at -> BigInt,
    }
}

diesel::table! {
    /// Revoked grants, whether seen or not.
    revocations (number) {
        /// Rises by one with each revocation.
        number -> BigInt,
        /// No row of `grants` need exist.
        grant_id -> Text,
        revoked_at -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(grants, revocations);
