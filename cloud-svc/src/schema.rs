//! The tables, as diesel sees them on both databases.

diesel::table! {
    workspaces (id) {
        id -> BigInt,
        name -> Text,
        state -> Text,
        storage_quota_bytes -> BigInt,
        storage_used_bytes -> BigInt,
        change_sequence -> BigInt,
        created_at -> BigInt,
    }
}

diesel::table! {
    files (id) {
        id -> BigInt,
        workspace_id -> BigInt,
        parent_id -> Nullable<BigInt>,
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

diesel::joinable!(files -> workspaces (workspace_id));
diesel::allow_tables_to_appear_in_same_query!(files, versions, workspaces);
