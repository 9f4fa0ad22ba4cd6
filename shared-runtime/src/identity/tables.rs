//! The tables of grants.

diesel::table! {
    /// Grants of access, recorded when they are first seen.
    grants (grant_id) {
        /// `grant_id` of the token.
        grant_id -> Text,
        /// `sub` of the token.
        subject -> Text,
        /// The workspace that the grant selects, where the surface has workspaces.
        workspace_id -> Nullable<BigInt>,
        /// When a token of it was first seen.
        first_seen_at -> BigInt,
        /// When the last token seen of it expires.
        expires_at -> BigInt,
    }
}

diesel::table! {
    /// Grants that the operator has revoked, seen or not.
    revocations (number) {
        /// Rises by one with each.
        number -> BigInt,
        /// The grant; no row of `grants` need exist.
        grant_id -> Text,
        /// When.
        revoked_at -> BigInt,
    }
}
