//! Histories, and the check of kept runs against a naive replay.

use proptest::prelude::*;
use serde_json::Value;
use shared_model::json_reader;

use crate::{
    authorship::{
        carried::carried,
        runs::{Runs, Writer},
    },
    content::Content,
    test_support::plans::possible,
};

/// How a version comes about.
#[derive(Clone, Debug)]
pub enum Step {
    /// A plan with these operations, as far as they can be carried out.
    Plan(Vec<Value>),
    /// Content from elsewhere, which differs by these operations. Nobody knows them.
    Draft(Vec<Value>),
    /// The content of the version with this number, counted around the versions that there are.
    Restored(usize),
}

pub fn steps(operation: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Vec<Step>> {
    let operations = proptest::collection::vec(operation, 1..6).boxed();
    let step = prop_oneof![
        6 => operations.clone().prop_map(Step::Plan),
        1 => operations.prop_map(Step::Draft),
        1 => any::<usize>().prop_map(Step::Restored),
    ];
    proptest::collection::vec(step, 1..12)
}

pub fn config() -> ProptestConfig {
    let cases = std::env::var("AUTHORSHIP_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(40), ..ProptestConfig::default() }
}

/// A version, for the replay: how it was made from the one before.
pub struct Version<C> {
    pub content: C,
    /// The operations of its plan; `None` for content from elsewhere.
    pub operations: Option<Vec<Value>>,
    pub restored: Option<usize>,
}

/// Makes the versions, keeps runs with each as the service does, and compares those of each version with a replay.
/// `replayed` has the writers of a version from the version before, its writers and number of the new one.
pub fn check<C: Content>(
    base: C,
    steps: Vec<Step>,
    replayed: impl Fn(&C, &[Writer], &Version<C>, Writer) -> Vec<Writer>,
) -> Result<(), TestCaseError> {
    let mut kept = vec![Runs::by_one(&base.grids(), Writer::Version(1))];
    let mut versions = vec![Version { content: base, operations: None, restored: None }];
    for step in steps {
        let (before, runs) = (&versions.last().expect("one").content, kept.last().expect("one"));
        let number = i64::try_from(versions.len()).expect("few") + 1;
        let (version, next) = match step {
            Step::Restored(which) => {
                let index = which % versions.len();
                let content = versions[index].content.clone();
                (Version { content, operations: None, restored: Some(index) }, kept[index].clone())
            }
            Step::Plan(operations) => {
                let operations = possible(before, operations);
                let (content, edits) = edited(before, &operations);
                let next = carried(before, runs, &content, Some(&edits));
                (Version { content, operations: Some(operations), restored: None }, next)
            }
            Step::Draft(operations) => {
                let (content, _) = edited(before, &possible(before, operations));
                let next = carried(before, runs, &content, None);
                (Version { content, operations: None, restored: None }, next)
            }
        };
        // As it is stored and read again.
        let stored = Runs::from_json(&next.to_json().expect("JSON")).expect("runs");
        kept.push(stored.of_version(number));
        versions.push(version);
    }

    let mut replays = vec![vec![Writer::Version(1); kept[0].writers().len()]];
    for (index, pair) in versions.windows(2).enumerate() {
        let number = Writer::Version(i64::try_from(index).expect("few") + 2);
        let writers = match pair[1].restored {
            Some(restored) => replays[restored].clone(),
            None => replayed(&pair[0].content, &replays[index], &pair[1], number),
        };
        replays.push(writers);
    }
    for (runs, replay) in kept.iter().zip(&replays) {
        prop_assert_eq!(&runs.writers(), replay);
    }
    Ok(())
}

fn edited<C: Content>(before: &C, operations: &[Value]) -> (C, Vec<C::Operation>) {
    let edits: Vec<C::Operation> =
        operations.iter().map(|operation| json_reader::read(operation).expect("an operation")).collect();
    let made = crate::edited::edited(before, &edits, std::collections::HashSet::new());
    (made.expect("possible operations").0, edits)
}
