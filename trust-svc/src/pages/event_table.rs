//! Events in a table, each with a link to its page.

use maud::{Markup, html};
use shared_runtime::pages::scrollable;

use super::{
    facts::{short, time},
    title,
};
use crate::events::store::EventRow;

pub fn table(found: &[(EventRow, Vec<u8>)]) -> Markup {
    let table = html! {
        table {
            thead { tr { th scope="col" { "Event" } th scope="col" { "State" } th scope="col" { "Revision" } th scope="col" { "Published" } th scope="col" { "Hash" } } }
            tbody {
                @for (event, entry) in found {
                    // Markets without a title are known by their id.
                    @let title = title::of_entry(entry).unwrap_or_else(|| event.market_id.to_string());
                    tr {
                        th scope="row" { a href={ "/event/" (event.event_hash.as_str()) } { bdi { (title) } } }
                        td { (event.state.as_str()) }
                        td { (event.revision) }
                        td { (time(event.published_at)) }
                        td { (short(event.event_hash.as_str())) }
                    }
                }
            }
        }
    };
    html! {
        // The titles are text of strangers.
        p.untrusted { strong { "Written by their signers. " } "The titles were not written by this service." }
        (scrollable("The events", table))
    }
}
