//! Compares the table of signers with the changes of signers in the log.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::mismatch::{CheckError, Mismatch};
use crate::{
    model::KeyId,
    signers::{Signer, SignerRecord},
};

/// A signer after a change, as the entry of the change records it.
pub type RecordedSigner = (KeyId, Value);

/// Reads the signer in the entry of a change. `Err` says what is wrong with the entry.
pub fn recorded(signer: Option<Value>) -> Result<RecordedSigner, String> {
    let signer = signer.unwrap_or_default();
    let key_id = signer["key_id"].as_str().and_then(|key_id| key_id.parse::<KeyId>().ok());
    let key_id = key_id.ok_or_else(|| "the change of a signer must have the signer, and has not".to_owned())?;
    Ok((key_id, signer))
}

/// Compares the rows with the last record of each signer. The signers in `newer` changed while the rows were read.
// A row of those may be from before or after the change, so the next check compares it. No change removes a row.
pub fn compare(
    mut recorded: HashMap<KeyId, Value>,
    rows: Vec<Signer>,
    newer: &HashSet<KeyId>,
) -> Result<(), CheckError> {
    for row in rows {
        let key_id = row.key_id.clone();
        let expected = recorded.remove(&key_id);
        if newer.contains(&key_id) {
            continue;
        }
        let place = format!("signer {key_id}");
        let Some(expected) = expected else {
            return Err(Mismatch { place, what: "no entry has added it".to_owned() }.into());
        };
        let stored = serde_json::to_value(SignerRecord::from(row)).map_err(|error| CheckError::Failed(error.into()))?;
        for (name, stored) in stored.as_object().into_iter().flatten() {
            let expected = &expected[name.as_str()];
            if expected != stored {
                return Err(Mismatch::new(place, &format!("the {name}"), expected, stored).into());
            }
        }
    }
    match recorded.into_keys().min() {
        Some(key_id) => {
            Err(Mismatch { place: format!("signer {key_id}"), what: "its row is missing".to_owned() }.into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;
    use serde_json::json;
    use shared_model::Timestamp;

    use super::*;

    fn signer() -> Signer {
        let key = SigningKey::from_bytes(&[7; 32]).verifying_key().try_into().expect("a strong key");
        Signer::new("press-1".parse().expect("a key id"), key, Timestamp::from_seconds(50))
    }

    fn compared(recorded: Option<&Signer>, row: Option<&Signer>, newer: &[&str]) -> String {
        let record = |signer: &Signer| (signer.key_id.clone(), json!(SignerRecord::from(signer.clone())));
        let recorded: HashMap<_, _> = recorded.into_iter().map(record).collect();
        let newer: HashSet<KeyId> = newer.iter().map(|key_id| key_id.parse().expect("a key id")).collect();
        match compare(recorded, row.into_iter().cloned().collect(), &newer) {
            Ok(()) => "intact".to_owned(),
            Err(CheckError::Mismatch(mismatch)) => mismatch.to_string(),
            Err(CheckError::Failed(failure)) => panic!("{failure}"),
        }
    }

    #[test]
    fn a_signer_that_changes_during_the_check_is_left_to_the_next_one() {
        let before = signer();
        let after = Signer { revoked_at: Some(Timestamp::from_seconds(60)), ..before.clone() };
        assert_eq!(compared(Some(&before), Some(&after), &["press-1"]), "intact");
        assert_eq!(compared(None, Some(&before), &["press-1"]), "intact", "it was added during the check");
        assert_eq!(compared(None, None, &["press-1"]), "intact", "it was added after the table was read");
        let lost = "the log is damaged at signer press-1: its row is missing";
        assert_eq!(compared(Some(&before), None, &["press-1"]), lost);
    }

    #[test]
    fn every_member_of_a_signer_is_compared() {
        let signer = signer();
        assert_eq!(compared(Some(&signer), Some(&signer), &[]), "intact");
        let record = json!(SignerRecord::from(signer.clone()));
        for name in record.as_object().expect("an object").keys().filter(|name| *name != "key_id") {
            let mut other = record.clone();
            other[name.as_str()] = json!("other");
            let other = HashMap::from([(signer.key_id.clone(), other)]);
            let Err(CheckError::Mismatch(mismatch)) = compare(other, vec![signer.clone()], &HashSet::new()) else {
                panic!("another {name} goes unnoticed");
            };
            assert!(mismatch.what.starts_with(&format!("the {name} must be \"other\", and is ")), "{mismatch}");
        }
    }

    #[test]
    fn a_change_without_a_signer_is_damage() {
        assert!(recorded(Some(json!({ "key_id": "press-1" }))).is_ok());
        for signer in [None, Some(json!(null)), Some(json!({ "key_id": "a b" })), Some(json!(["press-1"]))] {
            assert!(recorded(signer.clone()).is_err(), "{signer:?}");
        }
    }
}
