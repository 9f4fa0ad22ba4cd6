//! Which witnesses the log asks, and how many of them it needs.

use shared_model::Failure;
use shared_runtime::{
    context::settings::{Mistakes, Settings, SettingsArguments},
    state::outbound::Target,
};

use crate::tlog::{VerifierKey, key::KeyType};

/// The setting that names the witnesses.
pub const WITNESSES: &str = "LOG_WITNESSES";
/// The setting that says how many are needed.
pub const NEEDED: &str = "LOG_WITNESSES_NEEDED";

/// A witness that the log asks.
#[derive(Clone, Debug)]
pub struct AskedWitness {
    /// What its cosignatures are checked with.
    pub key: VerifierKey,
    /// Its submission prefix.
    pub target: Target,
}

/// The witnesses of the log.
#[derive(Clone, Debug)]
pub struct Witnesses {
    /// All of them, each with a key of its own.
    pub asked: Vec<AskedWitness>,
    /// How many must have cosigned a checkpoint before the log serves it.
    pub needed: usize,
}

impl Witnesses {
    /// Notes what is wrong with the settings of the witnesses.
    pub fn check(settings: &SettingsArguments, mistakes: &mut Mistakes) {
        // That a setting is empty is told of every one.
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let (witnesses, needed) = (filled(&settings.log_witnesses), filled(&settings.log_witnesses_needed));
        Self::read(witnesses.as_deref(), needed.as_deref(), mistakes);
    }

    /// The witnesses of a service that runs; `None` where it has none.
    pub fn of(settings: &Settings) -> Result<Option<Self>, Failure> {
        let mut mistakes = Mistakes::default();
        let read =
            Self::read(settings.log_witnesses.as_deref(), settings.log_witnesses_needed.as_deref(), &mut mistakes);
        if mistakes.is_empty() { Ok(read) } else { Err(Failure::fault(mistakes.to_string())) }
    }

    /// Reads `KEY URL,KEY URL` and a number, by default more than half of them. `None` without witnesses, and where
    /// there are mistakes, which are all noted.
    pub fn read(witnesses: Option<&str>, needed: Option<&str>, mistakes: &mut Mistakes) -> Option<Self> {
        let Some(text) = witnesses else {
            if needed.is_some() {
                mistakes.note(NEEDED, format!("needs witnesses: {WITNESSES}"));
            }
            return None;
        };
        let entries: Vec<_> = text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect();
        let read = |entry: &&str| mistakes.check(WITNESSES, asked(entry));
        let asked: Vec<_> = entries.iter().filter_map(read).collect();
        for (at, AskedWitness { key, .. }) in asked.iter().enumerate() {
            let name = key.name();
            // Under a second name a witness would count twice. Cosignatures are stored by the key's id.
            if asked[..at].iter().any(|other| other.key.public_key() == key.public_key()) {
                mistakes.note(WITNESSES, format!("must have each key once; that of {name} is there twice"));
            } else if asked[..at].iter().any(|other| other.key.id() == key.id()) {
                mistakes.note(WITNESSES, format!("must have keys with different ids; that of {name} is there twice"));
            }
        }
        let most = entries.len();
        if most == 0 {
            mistakes.note(WITNESSES, "must have at least one verifier key and URL; unset it for no witnesses");
            return None;
        }
        let needed = match needed {
            None => Some(most / 2 + 1),
            Some(text) => {
                let number = text.parse().ok().filter(|number| (1..=most).contains(number));
                mistakes.check(NEEDED, number.ok_or_else(|| format!("must be 1 to {most}, the number of witnesses")))
            }
        };
        needed.filter(|_| mistakes.is_empty()).map(|needed| Self { asked, needed })
    }
}

fn asked(entry: &str) -> Result<AskedWitness, String> {
    let (key, url) = entry.split_once(' ').ok_or("must be pairs of a verifier key, a blank and a URL")?;
    let key: VerifierKey = key.parse().map_err(|malformed| format!("{malformed}"))?;
    if key.key_type() != KeyType::CosignatureV1 {
        return Err(format!("must have keys of type 4 (cosignature/v1); that of {} is a log's", key.name()));
    }
    let target = Target::parse(url.trim_start()).map_err(|error| format!("for {}: {error}", key.name()))?;
    Ok(AskedWitness { key, target })
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;

    use super::*;
    use crate::tlog::{Cosigner, NoteSigner};

    fn key(name: &str, seed: u8) -> String {
        let cosigner = Cosigner::new(name.parse().expect("a name"), SigningKey::from_bytes(&[seed; 32]));
        cosigner.verifier_key().to_string()
    }

    fn read(witnesses: Option<&str>, needed: Option<&str>) -> Result<Option<Witnesses>, String> {
        let mut mistakes = Mistakes::default();
        let read = Witnesses::read(witnesses, needed, &mut mistakes);
        if mistakes.is_empty() { Ok(read) } else { Err(mistakes.to_string()) }
    }

    #[test]
    fn by_default_more_than_half_are_needed() {
        let entry = |number: u8| format!("{} https://w{number}.example/", key(&format!("w{number}.example"), number));
        let list = |count: u8| (1..=count).map(entry).collect::<Vec<_>>().join(", ");
        for (count, needed) in [(1, 1), (2, 2), (3, 2), (4, 3)] {
            let read = read(Some(&list(count)), None).expect("no mistake").expect("witnesses");
            assert_eq!((read.asked.len(), read.needed), (usize::from(count), needed));
        }
        assert_eq!(read(Some(&list(3)), Some("3")).expect("no mistake").expect("witnesses").needed, 3);
        assert!(read(None, None).expect("no mistake").is_none());
    }

    #[test]
    fn all_that_is_weak_or_wrong_is_told_at_once() {
        let log = NoteSigner::new("log.example".parse().expect("a name"), SigningKey::from_bytes(&[9; 32]));
        let text = [
            format!("{} https://w1.example/", key("w1.example", 1)),
            format!("{} https://w2.example/", key("w2.example", 1)),
            format!("{} ftp://w3.example/", key("w3.example", 3)),
            format!("{} https://w4.example/", log.verifier_key()),
            key("w5.example", 5),
            "nothing https://w6.example/".to_owned(),
        ];
        let message = read(Some(&text.join(",")), Some("0")).expect_err("mistakes");
        for words in ["w2.example is there twice", "https URL", "type 4", "pairs", "<name>+<id>", "1 to 6"] {
            assert!(message.contains(words), "{words} is not in: {message}");
        }
        for needed in ["0", "2", "-1", "all"] {
            assert!(read(Some(&text[0]), Some(needed)).is_err(), "{needed}");
        }
        assert!(read(None, Some("1")).is_err());
        assert!(read(Some(" , "), None).is_err());
    }
}
