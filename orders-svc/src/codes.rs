//! The Orders API's own refusals.

shared_model::code_table! {
    ORDERING_CLOSED = "ordering_closed", 403, ContactSupport, "Ordering is closed. Placed orders stay stored and can be read when it opens again.";
}
