//! The tables (`migrations/`), as diesel knows them.

#![expect(missing_docs, reason = "diesel's macro writes the items; the columns are explained in the migrations")]

diesel::table! {
    signers (key_id) {
        key_id -> Text,
        public_key -> Binary,
        kinds -> Text,
        market_prefixes -> Text,
        origins -> Text,
        allow_absent_origin -> Bool,
        active_from -> BigInt,
        retires_at -> Nullable<BigInt>,
        revoked_at -> Nullable<BigInt>,
        created_at -> BigInt,
    }
}

diesel::table! {
    log_head (id) {
        id -> Integer,
        size -> BigInt,
    }
}

diesel::table! {
    log_entries (log_index) {
        log_index -> BigInt,
        leaf -> Binary,
    }
}

diesel::table! {
    events (event_hash) {
        event_hash -> Text,
        event_id -> Text,
        market_id -> Text,
        revision -> BigInt,
        state -> Text,
        signer_key_id -> Text,
        log_index -> BigInt,
        published_at -> BigInt,
    }
}

diesel::table! {
    markets (market_id) {
        market_id -> Text,
        revision -> BigInt,
        event_hash -> Text,
        state -> Text,
        updated_at -> BigInt,
    }
}

diesel::table! {
    witnessed_checkpoints (origin) {
        origin -> Text,
        size -> BigInt,
        root -> Binary,
        checkpoint -> Text,
        at -> BigInt,
    }
}

diesel::table! {
    submitted_checkpoints (tree_size) {
        tree_size -> BigInt,
        note -> Text,
        at -> BigInt,
    }
}

diesel::table! {
    cosignatures (tree_size, witness_key_id) {
        tree_size -> BigInt,
        witness_key_id -> BigInt,
        line -> Text,
        at -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(events, log_entries);
