//! The tables for diesel. `migrations/` explains the columns; tests/it/tables.rs compares both.

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
        root -> Binary,
        frontier -> Binary,
        public_key -> Nullable<Binary>,
    }
}

diesel::table! {
    log_entries (log_index) {
        log_index -> BigInt,
        leaf -> Binary,
        leaf_hash -> Binary,
    }
}

diesel::table! {
    subtree_roots (level, node_index) {
        level -> Integer,
        node_index -> BigInt,
        hash -> Binary,
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
        tree_size -> BigInt,
        published_at -> BigInt,
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
diesel::allow_tables_to_appear_in_same_query!(submitted_checkpoints, cosignatures);
