//! What a person has typed into a form.

use shared_runtime::pages::SignedIn;

// Browsers send CR LF from text areas, but text must not contain CR.
pub fn typed(visit: &SignedIn, field: &str) -> String {
    visit.value(field).map(|text| text.replace("\r\n", "\n")).unwrap_or_default()
}
