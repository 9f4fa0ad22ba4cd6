//! The tables that every service has.

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

diesel::table! {
    /// The ledger of commands.
    idempotency (scope) {
        /// Who, where, which operation and which key, as one hash.
        scope -> Binary,
        /// What was asked, as one hash.
        fingerprint -> Binary,
        /// When it was done.
        created_at -> BigInt,
        /// When the key is free again.
        expires_at -> BigInt,
        /// The HTTP status of the answer.
        status -> Nullable<Integer>,
        /// Its headers: a JSON array of pairs.
        headers -> Nullable<Text>,
        /// Its payload: JSON text.
        payload -> Nullable<Text>,
    }
}

diesel::table! {
    /// Work that is to be done outside of any request.
    jobs (id) {
        /// Never used twice.
        id -> BigInt,
        /// What is to be done.
        kind -> Text,
        /// To what; unique in its kind.
        key -> Text,
        /// What the kind's handler needs to know.
        payload -> Text,
        /// When it is due.
        run_at -> BigInt,
        /// How often it was begun and neither ended nor handed back.
        attempts -> BigInt,
        /// Rises with each lease.
        epoch -> BigInt,
        /// When somebody else may take it over.
        lease_until -> Nullable<BigInt>,
        /// Who has it.
        holder -> Nullable<Text>,
    }
}
