//! The Orders API's own refusals.

use shared_runtime::Code;

/// 403: the operator has closed the Orders API.
pub const ORDERING_CLOSED: Code = Code::new(
    "ordering_closed",
    403,
    "Ordering is closed; placed orders are kept and can be read when it opens again.",
);

/// Every code of the table.
pub const ALL: &[&Code] = &[&ORDERING_CLOSED];
