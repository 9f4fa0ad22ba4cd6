//! The locker's own refusals.

shared_runtime::code_table! {
    CATALOGUE_UNAVAILABLE = "catalogue_unavailable", 503, "The catalogue is not available right now; assume no price and no capacity.";
}
