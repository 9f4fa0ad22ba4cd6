//! Environment variables whose names are almost those of settings: without a warning, a typo is ignored silently.

/// Each variable that was probably meant to be one of these settings, with the name of that setting.
pub fn lookalikes(names: &[String], variables: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let probable = |variable: &str| {
        // Names are compared in upper case: `listen_addr` is a typo too, as variables are case-sensitive.
        let upper = variable.to_ascii_uppercase();
        let distance = |name: &String| strsim::damerau_levenshtein(name, &upper);
        let name = names.iter().min_by_key(|name| distance(name))?;
        // Two typos in a long name, one in a short name: two would turn USER into ISSUER.
        let typos = if name.len() > 7 { 2 } else { 1 };
        (variable != name && distance(name) <= typos).then(|| name.clone())
    };
    let mut found: Vec<_> = variables
        .filter(|variable| !names.contains(variable))
        .filter_map(|variable| probable(&variable).map(|name| (variable, name)))
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command};

    use super::*;
    use crate::context::settings::{SettingsArguments, described};

    #[test]
    fn a_slip_is_noticed_and_the_variables_of_others_are_not() {
        let settings = described(&SettingsArguments::augment_args(Command::new("settings")));
        let names: Vec<String> = settings.into_iter().map(|setting| setting.name).collect();
        let found = |variable: &str| lookalikes(&names, [variable.to_owned()].into_iter()).pop().map(|(_, name)| name);
        for (slip, name) in [
            ("LISTEN_ADR", "LISTEN_ADDR"),
            ("DATABSE_URL", "DATABASE_URL"),
            ("REDIS_URI", "REDIS_URL"),
            ("listen_addr", "LISTEN_ADDR"),
            ("TRUSTED_PROXYS", "TRUSTED_PROXIES"),
            ("RATE_LIMIT", "RATE_LIMITS"),
            ("JWK", "JWKS"),
        ] {
            assert_eq!(found(slip).as_deref(), Some(name), "{slip}");
        }
        for other in
            ["USER", "PATH", "HOME", "PWD", "LANG", "TERM", "PGHOST", "HOSTNAME", "RUST_BACKTRACE", "AWS_REGION"]
        {
            assert_eq!(found(other), None, "{other}");
        }
        for name in &names {
            assert_eq!(found(name), None, "{name} is a setting");
        }
    }
}
