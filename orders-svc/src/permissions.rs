//! What a grant may do, as scopes of its access token. Orders are the owner's: every permission asks for an owner grant.

use shared_model::{NextAction, Refusal, code, refusal::NextStep};
use shared_runtime::{Identity, Permission};

/// `net.orders.read`, under an owner grant.
pub struct ReadOrders;

impl Permission for ReadOrders {
    const SCOPE: &'static str = "net.orders.read";
    const UNLESS_CHECKED: Option<NextStep> = Some(NextStep::ContactSupport);

    fn check(identity: &Identity) -> Result<(), Refusal> {
        owner_grant(identity)
    }
}

/// `net.orders.write`, under an owner grant. It does not imply reading.
pub struct PlaceOrders;

impl Permission for PlaceOrders {
    const SCOPE: &'static str = "net.orders.write";
    const UNLESS_CHECKED: Option<NextStep> = Some(NextStep::ContactSupport);

    fn check(identity: &Identity) -> Result<(), Refusal> {
        owner_grant(identity)
    }
}

/// No scope makes up for another kind of grant, so none is asked for.
fn owner_grant(identity: &Identity) -> Result<(), Refusal> {
    if identity.grant_kind.as_deref() == Some("owner") {
        return Ok(());
    }
    Err(code::INSUFFICIENT_SCOPE
        .because("Orders are read and placed under an owner grant; this token's grant is of another kind.")
        .next(NextAction::ContactSupport))
}
