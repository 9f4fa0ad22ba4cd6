//! Settings in words, for the reference.

use clap::{Arg, Command};

/// A setting as its help text describes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DescribedSetting {
    /// The environment variable.
    pub name: String,
    pub about: String,
    /// As the help text has it, for example `default on SQLite: next to the database`.
    pub default: Option<String>,
    pub is_secret: bool,
}

/// The settings that a service uses, in the order of its help.
pub fn described(command: &Command) -> Vec<DescribedSetting> {
    command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(describe).collect()
}

fn describe(argument: &Arg) -> Option<DescribedSetting> {
    let name = argument.get_env()?.to_str()?.to_owned();
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let (about, default) = match help.strip_suffix(']').and_then(|text| text.split_once(" [default")) {
        Some((about, default)) => (about.to_owned(), Some(format!("default{default}"))),
        None => (help, None),
    };
    Some(DescribedSetting { name, about, default, is_secret: argument.is_hide_env_values_set() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_taken_from_the_end_of_the_help_text() {
        let mail = Arg::new("mail").long("mail").env("MAIL").help("Sender of mail [default: none]");
        let key = Arg::new("key").long("key").env("KEY").help("A key").hide_env_values(true);
        let shown = |name: &str, about: &str, default: Option<&str>, is_secret| {
            let (name, about, default) = (name.to_owned(), about.to_owned(), default.map(str::to_owned));
            DescribedSetting { name, about, default, is_secret }
        };
        let expected =
            [shown("MAIL", "Sender of mail", Some("default: none"), false), shown("KEY", "A key", None, true)];
        assert_eq!(described(&Command::new("test").args([mail, key])), expected);
    }
}
