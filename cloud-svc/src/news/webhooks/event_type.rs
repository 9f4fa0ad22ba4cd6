//! The events that webhooks receive.

use crate::workspace::changes::{ChangeType, change_enum};

change_enum! {
    /// An event that a webhook receives: `*` for all, the name of a change, or `plan.applied` for a `file.updated` by a
    /// plan.
    pub enum EventType {
        All = "*",
        /// A plan was applied. For webhooks that do not want every `file.updated`.
        PlanApplied = "plan.applied",
    }
}

/// The event that a webhook with these subscriptions receives for a change, if any.
pub fn event_for(wanted: &[EventType], change: ChangeType, has_plan: bool) -> Option<EventType> {
    let of_change = EventType::from_word(change.as_str())?;
    if wanted.contains(&EventType::All) || wanted.contains(&of_change) {
        return Some(of_change);
    }
    let is_apply = of_change == EventType::FileUpdated && has_plan;
    (is_apply && wanted.contains(&EventType::PlanApplied)).then_some(EventType::PlanApplied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_for_all_events_receives_every_change_under_its_own_name() {
        for (word, change) in ChangeType::ALL {
            let event = event_for(&[EventType::All], *change, true).expect("an event for every change");
            assert_eq!(event.as_str(), *word);
            assert_eq!(event_for(&[event], *change, false), Some(event));
        }
    }

    #[test]
    fn an_applied_plan_is_one_event() {
        let event = |wanted: &[EventType], has_plan| event_for(wanted, ChangeType::FileUpdated, has_plan);
        assert_eq!(event(&[EventType::PlanApplied], true), Some(EventType::PlanApplied));
        assert_eq!(event(&[EventType::PlanApplied], false), None);
        assert_eq!(event(&[EventType::PlanApplied, EventType::FileUpdated], true), Some(EventType::FileUpdated));
        assert_eq!(event(&[EventType::FileMoved], true), None);
    }
}
