//! The tables of the cloud service, as far as a create writes them.

diesel::table! {
    workspaces (id) { id -> BigInt, storage_used_bytes -> BigInt, change_sequence -> BigInt, }
}
diesel::table! {
    files (id) {
        id -> BigInt,
        workspace_id -> BigInt,
        name -> Text,
        name_key -> Text,
        #[sql_name = "type"]
        kind -> Text,
        state -> Text,
        current_version -> Nullable<BigInt>,
        meta_revision -> BigInt,
        change_sequence -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}
diesel::table! {
    versions (id) {
        id -> BigInt,
        file_id -> BigInt,
        number -> BigInt,
        content_bytes -> BigInt,
        sha256 -> Text,
        created_by -> Text,
        created_at -> BigInt,
        content -> Text,
    }
}
diesel::table! {
    idempotency (scope) {
        scope -> Binary,
        fingerprint -> Binary,
        created_at -> BigInt,
        expires_at -> BigInt,
        status -> Nullable<Integer>,
        headers -> Nullable<Text>,
        payload -> Nullable<Text>,
    }
}
