//! A workspace with little storage. What needs more than there is left is refused, and the refusal tells the numbers.

use std::{collections::BTreeSet, sync::OnceLock};

use cloud_svc::service;
use shared_testing::histories::{Command, Seen, Way};

use super::Cloud;

/// So few that some commands of a history find no room.
pub const BYTES: i64 = 12_000;
const REFUSED: &str = "quota_exceeded";

/// Operations that take storage.
fn taking() -> &'static BTreeSet<&'static str> {
    static FOUND: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let routes = service().routes();
        let taking = routes.contracts().filter(|contract| contract.codes.iter().any(|code| code.name == REFUSED));
        taking.map(|contract| contract.id).collect()
    })
}

/// The command, for which there may be no room.
pub fn limited(command: Command<Cloud>) -> Command<Cloud> {
    if taking().contains(command.operation) { command.may_be_refused(no_room) } else { command }
}

/// A refusal is right if what is used, reserved and needed is more than there is.
fn no_room(cloud: &Cloud, seen: Seen<'_>) -> Option<&'static str> {
    // A page has a status and no code.
    if seen.way == Way::Page && seen.answer.is_some_and(|answer| answer["status"] != 413) {
        return None;
    }
    let answer = seen.answer.filter(|_| seen.is_refused(REFUSED));
    // Forms say less, and a lost answer says nothing.
    let Some(message) = answer.and_then(|answer| answer["error"]["message"].as_str()) else { return Some(REFUSED) };
    // In a proposal, the file comes first.
    let message = message.rsplit(": ").next().unwrap_or_default();
    let digits = message.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<i64> = digits.filter_map(|digits| digits.parse().ok()).collect();
    let &[quota, used, reserved, needed] = numbers.as_slice() else { return None };
    let is_known = quota == BYTES && i64::try_from(cloud.reserved()).is_ok_and(|known| known == reserved);
    let is_right = used + reserved <= BYTES && used + reserved + needed > BYTES;
    (is_known && is_right).then_some(REFUSED)
}

/// Whether the answer about the workspace has no more than there may be.
pub fn is_kept(seen: Seen<'_>) -> bool {
    let workspace = seen.answer.map(|answer| &answer["workspaces"][0]);
    let number = |name: &str| workspace.and_then(|workspace| workspace[name].as_i64()).unwrap_or_default();
    number("storage_used_bytes") + number("storage_reserved_bytes") <= BYTES
}
