//! The tables for diesel. `migrations/` explains the columns; tests/it/tables.rs compares both.

diesel::table! {
    attestations (image_digest, key_id) {
        image_digest -> Text,
        key_id -> Text,
        envelope -> Text,
        recorded_at -> BigInt,
    }
}

diesel::table! {
    attestors (key_id) {
        key_id -> Text,
        public_key -> Binary,
        added_at -> BigInt,
        revoked_at -> Nullable<BigInt>,
    }
}

diesel::joinable!(attestations -> attestors (key_id));
diesel::allow_tables_to_appear_in_same_query!(attestations, attestors);

diesel::table! {
    catalogue_snapshots (id) {
        id -> BigInt,
        version -> Text,
        body -> Text,
        imported_at -> BigInt,
    }
}

diesel::table! {
    catalogue_upstream (id) {
        id -> BigInt,
        url -> Text,
        followed_at -> BigInt,
        checked_at -> Nullable<BigInt>,
        version -> Nullable<Text>,
        etag -> Nullable<Text>,
        modified_at -> Nullable<BigInt>,
        tried_at -> Nullable<BigInt>,
        trouble -> Nullable<Text>,
        detail -> Nullable<Text>,
        fresh_since -> BigInt,
    }
}

diesel::table! {
    export_parts (export_id, part_index) {
        export_id -> Text,
        part_index -> BigInt,
        bytes -> BigInt,
        sha256 -> Text,
        blob_key -> Text,
    }
}

diesel::table! {
    exports (id) {
        id -> Text,
        owner -> Text,
        room_id -> Text,
        state -> Text,
        epoch -> BigInt,
        source -> Text,
        file_name -> Text,
        content_type -> Text,
        part_bytes -> BigInt,
        part_count -> Nullable<BigInt>,
        bytes -> Nullable<BigInt>,
        sha256 -> Nullable<Text>,
        manifest -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        ready_at -> Nullable<BigInt>,
        expires_at -> Nullable<BigInt>,
        ended_at -> Nullable<BigInt>,
        parts_removed_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    operations (id) {
        id -> Text,
        kind -> Text,
        owner -> Text,
        room_id -> Text,
        status -> Text,
        image_digest -> Text,
        order_id -> Nullable<Text>,
        result -> Nullable<Text>,
        queued_at -> BigInt,
        started_at -> Nullable<BigInt>,
        finished_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    rooms (id) {
        id -> Text,
        owner -> Text,
        state -> Text,
        version -> BigInt,
        image_digest -> Nullable<Text>,
        model_base_url -> Nullable<Text>,
        model_name -> Nullable<Text>,
        model_key -> Nullable<Text>,
        pending_order_id -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    subscriptions (id) {
        id -> Text,
        owner -> Text,
        room_id -> Text,
        state -> Text,
        version -> BigInt,
        sku -> Text,
        currency -> Text,
        monthly_pence -> BigInt,
        setup_pence -> BigInt,
        current_period_start -> Nullable<BigInt>,
        current_period_end -> Nullable<BigInt>,
        cancelled_at -> Nullable<BigInt>,
        order_id -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}
