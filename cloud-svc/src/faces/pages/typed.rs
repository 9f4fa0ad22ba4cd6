//! What a person has typed into a form.

use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::pages::SignedIn;

// Browsers send CR LF from text areas, but text must not contain CR.
pub fn typed(visit: &SignedIn, field: &str) -> String {
    visit.value(field).map(|text| text.replace("\r\n", "\n")).unwrap_or_default()
}

/// The same without spaces at its ends; 422 if nothing is left.
// A browser accepts a single space in a required field.
pub fn required(visit: &SignedIn, field: &str) -> Result<String, Error> {
    let text = typed(visit, field).trim().to_owned();
    if text.is_empty() {
        let problem = Problem { at: format!("/{field}"), rule: "must not be empty".to_owned() };
        return Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into());
    }
    Ok(text)
}
