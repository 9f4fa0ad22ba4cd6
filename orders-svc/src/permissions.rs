//! The permissions of Orders. Every permission needs an owner grant.

use shared_model::{NextAction, Refusal, code, refusal::NextStep};
use shared_runtime::{Identity, Permission};

pub struct ReadOrders;

impl Permission for ReadOrders {
    const SCOPE: &'static str = "net.orders.read";
    const UNLESS_CHECKED: Option<NextStep> = Some(NextStep::ContactSupport);

    fn check(identity: &Identity) -> Result<(), Refusal> {
        owner_grant(identity)
    }
}

// Writing does not include reading: a client that only places orders cannot list them.
pub struct PlaceOrders;

impl Permission for PlaceOrders {
    const SCOPE: &'static str = "net.orders.write";
    const UNLESS_CHECKED: Option<NextStep> = Some(NextStep::ContactSupport);

    fn check(identity: &Identity) -> Result<(), Refusal> {
        owner_grant(identity)
    }
}

// A caller that may only place orders must be able to ask about an order after a lost answer. Readers may ask too.
pub struct LookUpCommands;

impl Permission for LookUpCommands {
    const SCOPE: &'static str = PlaceOrders::SCOPE;
    const IMPLIED_BY: &'static [&'static str] = &[ReadOrders::SCOPE];
    const UNLESS_CHECKED: Option<NextStep> = Some(NextStep::ContactSupport);

    fn check(identity: &Identity) -> Result<(), Refusal> {
        owner_grant(identity)
    }
}

// A token with more scopes would still have the wrong kind of grant. So the refusal does not suggest asking for a
// scope.
fn owner_grant(identity: &Identity) -> Result<(), Refusal> {
    if identity.grant_kind.as_deref() == Some("owner") {
        return Ok(());
    }
    Err(code::INSUFFICIENT_SCOPE
        .because("Orders need an owner grant; this token's grant has another kind.")
        .next(NextAction::ContactSupport))
}
