//! The settings of the witnesses: which ones the log asks, and how many it needs.

use shared_runtime::{
    context::settings::{HEADING, Mistakes, SettingsArguments, SettingsGroup},
    state::outbound::Target,
};
use trust_log::tlog::{VerifierKey, key::KeyType};

const WITNESSES: &str = "LOG_WITNESSES";
const QUORUM: &str = "LOG_WITNESS_QUORUM";

#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub struct WitnessSettings {
    /// Witnesses that cosign the log's checkpoints: pairs of verifier key and URL with a space between them, separated
    /// by commas [default: none]
    #[arg(long, env, global = true)]
    log_witnesses: Option<String>,
    /// Number of witnesses that must cosign a checkpoint before the log serves it [default: more than half]
    #[arg(long, env, global = true)]
    log_witness_quorum: Option<String>,
}

impl SettingsGroup for WitnessSettings {
    type Checked = Witnesses;

    fn check(self, _: &SettingsArguments, mistakes: &mut Mistakes) -> Option<Witnesses> {
        Witnesses::read(self.log_witnesses.as_deref(), self.log_witness_quorum.as_deref(), mistakes)
    }
}

#[derive(Clone, Debug)]
pub struct RemoteWitness {
    pub key: VerifierKey,
    /// The submission prefix of C2SP tlog-witness.
    pub target: Target,
}

#[derive(Clone, Debug)]
pub struct Witnesses {
    /// Each has another key.
    pub all: Vec<RemoteWitness>,
    /// The number of cosignatures that a checkpoint needs before the log serves it.
    pub needed: usize,
}

impl Witnesses {
    /// Reads `KEY URL,KEY URL` and the needed number, by default more than half. Returns `None` without witnesses, and
    /// after a mistake.
    pub fn read(witnesses: Option<&str>, needed: Option<&str>, mistakes: &mut Mistakes) -> Option<Self> {
        let Some(text) = witnesses else {
            if needed.is_some() {
                mistakes.note(QUORUM, format!("needs witnesses: {WITNESSES}"));
            }
            return None;
        };
        let entries: Vec<_> = text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect();
        let read = |entry: &&str| mistakes.check(WITNESSES, read_entry(entry));
        let all: Vec<_> = entries.iter().filter_map(read).collect();
        for (at, RemoteWitness { key, .. }) in all.iter().enumerate() {
            let name = key.name();
            // A witness with two names would count twice. Cosignatures are stored by key id, so two keys with one id
            // would overwrite each other.
            if all[..at].iter().any(|other| other.key.public_key() == key.public_key()) {
                mistakes.note(WITNESSES, format!("must have each key once; the key of {name} is there twice"));
            } else if all[..at].iter().any(|other| other.key.id() == key.id()) {
                mistakes.note(WITNESSES, format!("must have keys with different ids; the id of {name} is there twice"));
            }
        }
        let most = entries.len();
        if most == 0 {
            mistakes.note(WITNESSES, "must have at least one verifier key and URL; unset it for no witnesses");
            return None;
        }
        let needed = match needed {
            // With a majority, two histories of the log would need a witness that cosigns both.
            None => Some(most / 2 + 1),
            Some(text) => {
                let number = text.parse().ok().filter(|number| (1..=most).contains(number));
                mistakes.check(QUORUM, number.ok_or_else(|| format!("must be 1 to {most}, the number of witnesses")))
            }
        };
        needed.filter(|_| mistakes.is_empty()).map(|needed| Self { all, needed })
    }
}

fn read_entry(entry: &str) -> Result<RemoteWitness, String> {
    let (key, url) = entry.split_once(' ').ok_or("must be pairs of a verifier key, a space and a URL")?;
    let key: VerifierKey = key.parse().map_err(|malformed| format!("{malformed}"))?;
    if key.key_type() != KeyType::CosignatureV1 {
        return Err(format!("must have keys of type 4 (cosignature/v1); that of {} is a log's", key.name()));
    }
    let target = Target::parse(url.trim_start()).map_err(|error| format!("for {}: {error}", key.name()))?;
    Ok(RemoteWitness { key, target })
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;

    use super::*;
    use trust_log::tlog::{Cosigner, NoteSigner};

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
            assert_eq!((read.all.len(), read.needed), (usize::from(count), needed));
        }
        assert_eq!(read(Some(&list(3)), Some("3")).expect("no mistake").expect("witnesses").needed, 3);
        assert!(read(None, None).expect("no mistake").is_none());
    }

    #[test]
    fn all_mistakes_are_reported_at_once() {
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
