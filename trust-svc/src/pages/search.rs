//! `/search`: events by their hash, its beginning, their id, or the id of their market.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, PageRequest, PageResponse, Redirect};

use super::event_table;
use crate::events::store::{self, Wanted};

const MOST: i64 = 50;
/// Digits of a hash that are enough to look for.
const FEWEST_DIGITS: usize = 6;

pub fn form(sought: &str) -> Markup {
    html! {
        form.search method="get" action="/search" role="search" {
            label for="q" { (text!("Find an event")) }
            p.note #rule { (text!("By its hash or the hash's first digits, by its id, or by the id of its market.")) }
            div.row {
                input #q name="q" type="search" value=(sought) maxlength="100" aria-describedby="rule" autocomplete="off" spellcheck="false";
                button { (text!("Find")) }
            }
        }
    }
}

pub async fn search(request: PageRequest) -> Result<PageResponse, Error> {
    let sought = request.value("q").unwrap_or_default().trim().to_owned();
    let Some(wanted) = wanted(&sought) else {
        let body = html! { (form(&sought)) @if !sought.is_empty() { p { (text!("That is neither a hash nor the id of an event or a market.")) } } };
        return Ok(Page::new(text!("Find an event"), body).into());
    };
    let found = request.context.read(move |conn| Ok(store::search(conn, &wanted, MOST)?)).await?;
    if let [(event, _)] = found.as_slice() {
        return Ok(Redirect::to(format!("/event/{}", event.event_hash.as_str())).into());
    }
    let body = html! {
        (form(&sought))
        @if found.is_empty() { p { (text!("The log does not have this event.")) } } @else { (event_table::table(&found)) }
    };
    Ok(Page::new(text!("Found events"), body).into())
}

/// `None` for what nothing can have.
fn wanted(sought: &str) -> Option<Wanted> {
    let lower = sought.to_ascii_lowercase();
    if let Ok(event) = lower.parse() {
        return Some(Wanted::Event(event));
    }
    if let Ok(market) = lower.parse() {
        return Some(Wanted::Market(market));
    }
    // As people copy it: with or without the name of the function, and perhaps shortened.
    let digits = lower.strip_prefix("sha256:").unwrap_or(&lower);
    let digits = digits.split('…').next().unwrap_or_default();
    let is_hash = (FEWEST_DIGITS..=64).contains(&digits.len())
        && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hash.then(|| Wanted::HashBeginning(format!("sha256:{digits}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_found_as_people_write_them() {
        for text in ["sha256:AB12cd", "ab12cd", "sha256:ab12cd…9f00"] {
            assert!(matches!(wanted(text), Some(Wanted::HashBeginning(hash)) if hash == "sha256:ab12cd"), "{text}");
        }
        for none in ["", "ab12", "Rain tomorrow", "sha256:xyzxyz", "%", "evt_1"] {
            assert!(wanted(none).is_none(), "{none}");
        }
    }
}
