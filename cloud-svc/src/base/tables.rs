//! The tables for diesel. `migrations/` explains the columns; tests/it/tables.rs compares both.

diesel::table! {
    workspaces (id) {
        id -> BigInt,
        name -> Text,
        state -> Text,
        storage_quota_bytes -> BigInt,
        storage_used_bytes -> BigInt,
        change_sequence -> BigInt,
        created_at -> BigInt,
        agent_writes -> Text,
        agents_may_review -> Bool,
        agents_read_only -> Bool,
        storage_reserved_bytes -> BigInt,
        risk_rules -> Nullable<Text>,
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
        first_change -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        trashed_at -> Nullable<BigInt>,
        purged_at -> Nullable<BigInt>,
        protection -> Nullable<Text>,
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
        via -> Text,
        plan_id -> Nullable<Text>,
        restored_from -> Nullable<BigInt>,
        content_warnings -> Nullable<Text>,
        manifest_id -> Nullable<Text>,
        authorship -> Nullable<Text>,
        edited_by -> Nullable<Text>,
    }
}

diesel::table! {
    changes (workspace_id, sequence) {
        workspace_id -> BigInt,
        sequence -> BigInt,
        #[sql_name = "type"]
        kind -> Text,
        at -> BigInt,
        actor -> Text,
        file_id -> Nullable<BigInt>,
        version_id -> Nullable<BigInt>,
        comment_id -> Nullable<BigInt>,
        plan_id -> Nullable<Text>,
        webhook_id -> Nullable<Text>,
    }
}

diesel::table! {
    edit_plans (id) {
        id -> Text,
        workspace_id -> BigInt,
        file_id -> BigInt,
        actor -> Text,
        author_key -> Text,
        author_subject -> Text,
        kind -> Text,
        state -> Text,
        base_version_id -> BigInt,
        base_meta_revision -> BigInt,
        proposal_sha256 -> Text,
        base_sha256 -> Text,
        effects -> Text,
        review -> Nullable<Text>,
        created_at -> BigInt,
        expires_at -> BigInt,
        applied_version_id -> Nullable<BigInt>,
        confirmed_at -> Nullable<BigInt>,
        preview -> Text,
        operations -> Text,
        sent_sha256 -> Text,
        rebased_from -> Nullable<Text>,
        rebased_by -> Nullable<Text>,
        is_approval_carried -> Bool,
        derived_from -> Nullable<Text>,
        lineage -> Text,
        proposal_id -> Nullable<Text>,
        answers_comment_id -> Nullable<BigInt>,
        content -> Nullable<Text>,
        content_bytes -> BigInt,
        text_bytes -> BigInt,
        authorship -> Nullable<Text>,
    }
}

diesel::table! {
    receipts (workspace_id, sequence) {
        workspace_id -> BigInt,
        sequence -> BigInt,
        file_id -> BigInt,
        plan_id -> Text,
        statement -> Text,
        sha256 -> Text,
        signature -> Text,
    }
}

diesel::table! {
    receipt_keys (key_id) {
        key_id -> Text,
        public_key -> Binary,
        first_used_at -> BigInt,
    }
}

diesel::table! {
    proposals (id) {
        id -> Text,
        workspace_id -> BigInt,
        title -> Text,
        reason -> Nullable<Text>,
        actor -> Text,
        state -> Text,
        proposal_sha256 -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
    }
}

diesel::table! {
    agents (number) {
        number -> BigInt,
        workspace_id -> BigInt,
        grant_id -> Text,
        actor -> Text,
        author_key -> Text,
        first_seen_at -> BigInt,
        last_command_at -> Nullable<BigInt>,
        may -> Text,
        is_in_folders -> Bool,
        is_of_types -> Bool,
        bytes_per_day -> Nullable<BigInt>,
        bytes_day -> BigInt,
        bytes_on_day -> BigInt,
        limited_by -> Nullable<Text>,
        limited_at -> Nullable<BigInt>,
        revoked_by -> Nullable<Text>,
    }
}

diesel::table! {
    agent_folders (agent, file_id) {
        agent -> BigInt,
        file_id -> BigInt,
    }
}

diesel::table! {
    agent_types (agent, kind) {
        agent -> BigInt,
        #[sql_name = "type"]
        kind -> Text,
    }
}

diesel::table! {
    gone_parts (file_id, part_id) {
        file_id -> BigInt,
        part_id -> Text,
    }
}

diesel::table! {
    link_domains (workspace_id, domain) {
        workspace_id -> BigInt,
        domain -> Text,
    }
}

diesel::table! {
    comments (id) {
        id -> BigInt,
        file_id -> BigInt,
        text -> Text,
        anchor -> Text,
        actor -> Text,
        status -> Text,
        revision -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        resolved_at -> Nullable<BigInt>,
        parent_id -> Nullable<BigInt>,
    }
}

diesel::table! {
    moved_anchors (comment_id, version_id) {
        comment_id -> BigInt,
        version_id -> BigInt,
        anchor -> Text,
        counted_bytes -> BigInt,
    }
}

diesel::table! {
    moved_protection (file_id, version_id) {
        file_id -> BigInt,
        version_id -> BigInt,
        places -> Text,
    }
}

diesel::table! {
    imports (workspace_id, target_id, path_sha256) {
        workspace_id -> BigInt,
        target_id -> BigInt,
        path_sha256 -> Text,
        source_sha256 -> Nullable<Text>,
        file_id -> BigInt,
    }
}

diesel::table! {
    drafts (id) {
        id -> Text,
        workspace_id -> BigInt,
        grant_id -> Text,
        name -> Text,
        #[sql_name = "type"]
        kind -> Text,
        state -> Text,
        file_id -> Nullable<BigInt>,
        content -> Text,
        content_bytes -> BigInt,
        created_at -> BigInt,
        expires_at -> BigInt,
    }
}

diesel::table! {
    uploads (id) {
        id -> Text,
        workspace_id -> BigInt,
        grant_id -> Text,
        name -> Text,
        mime -> Text,
        size -> BigInt,
        sha256 -> Text,
        parent_id -> Nullable<BigInt>,
        target_id -> Nullable<BigInt>,
        seen_version_id -> Nullable<BigInt>,
        seen_meta_revision -> Nullable<BigInt>,
        state -> Text,
        next_chunk_index -> BigInt,
        received_bytes -> BigInt,
        file_id -> Nullable<BigInt>,
        version_id -> Nullable<BigInt>,
        created_at -> BigInt,
        expires_at -> BigInt,
    }
}

diesel::table! {
    webhooks (id) {
        id -> Text,
        workspace_id -> BigInt,
        grant_id -> Text,
        url -> Text,
        events -> Text,
        description -> Text,
        state -> Text,
        failures -> BigInt,
        failing_since -> Nullable<BigInt>,
        last_error -> Text,
        secret -> Text,
        old_secret -> Nullable<Text>,
        old_secret_until -> Nullable<BigInt>,
        challenge -> Nullable<Text>,
        place -> BigInt,
        created_at -> BigInt,
        revoked_at -> Nullable<BigInt>,
        deliveries_cancelled_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    manifests (id) {
        id -> Text,
        bytes -> BigInt,
        sha256 -> Text,
        media_type -> Text,
        text -> Nullable<Binary>,
        sweep_after -> Nullable<BigInt>,
    }
}

diesel::table! {
    manifest_chunks (manifest_id, number) {
        manifest_id -> Text,
        number -> BigInt,
        blob_key -> Text,
        hash_state -> Text,
    }
}

diesel::table! {
    webhook_deliveries (id) {
        id -> BigInt,
        webhook_id -> Text,
        event_id -> Text,
        #[sql_name = "type"]
        kind -> Text,
        sequence -> Nullable<BigInt>,
        body -> Text,
        state -> Text,
        attempts -> BigInt,
        last_error -> Text,
        created_at -> BigInt,
        due_at -> Nullable<BigInt>,
        finished_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    search_entries (file_id) {
        file_id -> BigInt,
        workspace_id -> BigInt,
        sequence -> BigInt,
    }
}

diesel::table! {
    search_segments (id) {
        id -> BigInt,
        workspace_id -> BigInt,
        state -> Text,
        first_sequence -> BigInt,
        last_sequence -> BigInt,
        entries -> BigInt,
        made_at -> BigInt,
        begun_at -> BigInt,
    }
}

diesel::table! {
    search_blocks (segment_id, first_piece) {
        segment_id -> BigInt,
        first_piece -> BigInt,
        lists -> Binary,
    }
}

// SQLite's full-text index of names. PostgreSQL has none: diesel only needs its rowid for a join.
diesel::table! {
    file_names (rowid) {
        rowid -> BigInt,
    }
}

diesel::table! {
    mentions (comment_id, author_key) {
        comment_id -> BigInt,
        author_key -> Text,
        workspace_id -> BigInt,
    }
}

diesel::joinable!(files -> workspaces (workspace_id));
diesel::joinable!(moved_anchors -> comments (comment_id));
diesel::allow_tables_to_appear_in_same_query!(
    changes,
    comments,
    drafts,
    edit_plans,
    file_names,
    files,
    manifests,
    mentions,
    moved_anchors,
    search_blocks,
    search_entries,
    search_segments,
    uploads,
    versions,
    webhook_deliveries,
    webhooks,
    workspaces,
);
