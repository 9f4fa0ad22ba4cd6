//! The locker's own refusals.

use shared_runtime::Code;

/// 503: there is nothing to show, and no guess is made.
pub const CATALOGUE_UNAVAILABLE: Code = Code::new(
    "catalogue_unavailable",
    503,
    "The catalogue is not available right now; assume no price and no capacity.",
);

/// Every code of the table.
pub const ALL: &[&Code] = &[&CATALOGUE_UNAVAILABLE];
