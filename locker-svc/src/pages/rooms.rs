//! `GET /rooms`: the rooms of the visitor, and their exports.

use maud::{Markup, html};
use shared_model::{Error, Timestamp};
use shared_runtime::{
    Caller, Conn,
    pages::{Page, SignedIn, bytes, scrollable, time},
};

use super::words;
use crate::{
    exports::{self, Export},
    permissions::{Chat, CreateExports},
    rooms::{self, Room},
};

/// Nobody has as many rooms; of exports the newest are enough.
const MOST: i64 = 100;

pub async fn rooms(visit: SignedIn) -> Result<Page, Error> {
    // One of the two scopes is enough to see its half of the page.
    let (chat, create): (Result<Caller<Chat>, _>, Result<Caller<CreateExports>, _>) = (visit.caller(), visit.caller());
    if let (Err(refusal), Err(_)) = (&chat, &create) {
        return Err(refusal.clone().into());
    }
    let (owner, sees_rooms, sees_exports) = (visit.identity().subject.clone(), chat.is_ok(), create.is_ok());
    let find = move |conn: &mut Conn| {
        let rooms = if sees_rooms { rooms::list_owned(conn, &owner, MOST)? } else { Vec::new() };
        let exports = if sees_exports { exports::store::list_owned(conn, &owner, MOST)? } else { Vec::new() };
        Ok((rooms, exports))
    };
    let (rooms, exports) = visit.context.read(find).await?;
    let now = visit.context.clock.now();
    let body = html! {
        @if sees_rooms {
            h2 { (text!("Rooms")) }
            @if rooms.is_empty() {
                p { (text!("You have no room.")) }
            } @else {
                (scrollable(text!("Your rooms"), room_table(&rooms)))
            }
        }
        @if sees_exports {
            h2 { (text!("Exports")) }
            @if exports.is_empty() { p { (text!("No export of a room of yours has been made.")) } }
            @else { (scrollable(text!("Your exports"), export_table(&exports, now))) }
        }
    };
    Ok(Page::new(text!("Your rooms"), body))
}

fn room_table(rooms: &[Room]) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { (text!("Model")) }
                    th scope="col" { (text!("State")) }
                    th scope="col" { (text!("Since")) }
                    th scope="col" { (text!("Room")) }
                }
            }
            tbody {
                @for room in rooms {
                    tr {
                        // Never its key, nor its address, which may hold one.
                        th scope="row" {
                            @if let Some(model) = &room.model_name { bdi { (model) } } @else { (text!("None yet")) }
                        }
                        td { (words::room(room.state)) }
                        td { (time(room.created_at)) }
                        td { code { (room.id) } }
                    }
                }
            }
        }
    }
}

fn export_table(exports: &[Export], now: Timestamp) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { (text!("Export")) }
                    th scope="col" { (text!("State")) }
                    th scope="col" { (text!("Size")) }
                    th scope="col" { (text!("Made")) }
                    th scope="col" { (text!("Room")) }
                }
            }
            tbody {
                @for export in exports {
                    tr {
                        th scope="row" { a href={ "/exports/" (export.id) } { bdi { (export.file_name) } } }
                        td { (words::export(export.state_at(now))) }
                        td { @if let Some(size) = export.bytes { (bytes(size)) } }
                        td { (time(export.created_at)) }
                        td { code { (export.room_id) } }
                    }
                }
            }
        }
    }
}
