//! The table that the executors of transactions write.

diesel::table! {
    /// What was answered to commands, by idempotency key.
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
