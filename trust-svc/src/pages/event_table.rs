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
            thead {
                tr {
                    th scope="col" { (text!("Event")) }
                    th scope="col" { (text!("State")) }
                    th scope="col" { (text!("Revision")) }
                    th scope="col" { (text!("Published")) }
                    th scope="col" { (text!("Hash")) }
                }
            }
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
        p.untrusted {
            strong { (text!("Written by their signers.")) } " " (text!("The titles were not written by this service."))
        }
        (scrollable(text!("The events"), table))
    }
}
