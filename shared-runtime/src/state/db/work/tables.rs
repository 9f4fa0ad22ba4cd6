//! The table of idempotency records.

diesel::table! {
    idempotency (scope) {
        /// Hash of caller, operation and key.
        scope -> Binary,
        /// Hash of the request.
        fingerprint -> Binary,
        created_at -> BigInt,
        /// The key can be used again from then on.
        expires_at -> BigInt,
        status -> Nullable<Integer>,
        headers -> Nullable<Text>,
        payload -> Nullable<Text>,
    }
}
