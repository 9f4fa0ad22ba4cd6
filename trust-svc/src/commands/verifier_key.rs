//! Reads a verifier key from the command line.

use std::fs;

use trust_log::tlog::VerifierKey;

/// A verifier key, or `@FILE` with it.
pub fn verifier_key(argument: &str) -> Result<VerifierKey, String> {
    let Some(path) = argument.strip_prefix('@') else { return argument.parse().map_err(|error| format!("{error}")) };
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    text.trim().parse().map_err(|error| format!("{path}: {error}"))
}
