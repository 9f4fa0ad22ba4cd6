//! The tables for diesel. `migrations/` explains the columns; tests/it/tables.rs compares both.

diesel::table! {
    orders (id) {
        id -> Text,
        owner -> Text,
        number -> Text,
        state -> Text,
        version -> BigInt,
        currency -> Text,
        subtotal_minor -> BigInt,
        discount_minor -> BigInt,
        tax_minor -> BigInt,
        total_minor -> BigInt,
        paid_minor -> BigInt,
        refunded_minor -> BigInt,
        due_minor -> BigInt,
        lines -> Text,
        payment -> Text,
        timeline -> Text,
        subscription_id -> Nullable<Text>,
        room_id -> Nullable<Text>,
        placed_at -> Nullable<BigInt>,
        updated_at -> BigInt,
        completed_at -> Nullable<BigInt>,
        cancelled_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    ordering (id) {
        id -> Integer,
        is_open -> Bool,
        changed_at -> BigInt,
    }
}
