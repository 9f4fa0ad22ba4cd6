//! The hash by which a step names the plans of a proposal.

use std::collections::BTreeMap;

use shared_testing::histories::Dice;

use super::actors::Refused;

/// Symbols of the hashes that a proposal has had, by the ids of its plans.
// The same plans have the same hash, and they may leave a proposal and come back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hashes {
    now: String,
    by_plans: BTreeMap<Vec<String>, String>,
}

impl Hashes {
    /// Notes which plans the proposal has from the step `n` on.
    pub fn set(&mut self, plans: Vec<String>, n: &str) {
        // With an `x`, because two proposals may have had the same plans.
        self.now = self.by_plans.entry(plans).or_insert_with(|| format!("$xhash{n}")).clone();
    }

    pub fn now(&self) -> &str {
        &self.now
    }

    /// What the caller has seen: the present plans, mostly.
    pub fn seen(&self, dice: &mut Dice) -> String {
        let old = if dice.percent(15) { dice.pick_text(self.by_plans.values()) } else { None };
        old.unwrap_or_else(|| self.now.clone())
    }

    /// Why a step for these plans is refused.
    pub fn refusals(&self, seen: &str) -> Refused {
        if self.now == seen { Refused::new() } else { vec!["proposal_state"] }
    }
}
