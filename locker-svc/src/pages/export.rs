//! `GET /exports/{export_id}`: an export with its parts, and `GET /exports/{export_id}/parts/{index}`, which leads to a
//! download.

use maud::{Markup, html};
use shared_model::{Error, code};
use shared_runtime::pages::{Page, Redirect, SignedIn, Text, bytes, scrollable, time};

use super::{
    answer::{Answer, Listing},
    words,
};
use crate::{
    exports::{Export, ExportState, store},
    ids::ExportId,
    permissions::CreateExports,
};

pub async fn export(visit: SignedIn) -> Result<Page, Error> {
    let (id,): (ExportId,) = visit.path()?;
    let owner = visit.caller::<CreateExports>()?.subject.clone();
    let found = visit.context.read(move |conn| Ok(store::find_owned(conn, &owner, id)?)).await?;
    let export = found.ok_or_else(code::not_found)?;
    let state = export.state_at(visit.context.clock.now());
    let parts = match state {
        ExportState::Ready => {
            let listing = listing(&visit, id, visit.value("cursor").unwrap_or_default()).await?;
            parts(id, &listing)
        }
        other => html! { p { (why_not(other)) } },
    };
    let body = html! {
        nav.crumbs aria-label=(text!("Path")) { a href="/rooms" { (text!("Your rooms")) } }
        (facts(&export, state))
        (parts)
    };
    let title = title!("Export {file}", file = export.file_name);
    Ok(Page::new(title, body).heading(text!("Export {file}", file = html! { bdi { (export.file_name) } })))
}

/// Leads to a download that begins immediately.
// The links of parts are valid for two minutes, and a page may stay open for hours. So each is made when it is
// followed.
pub async fn part(visit: SignedIn) -> Result<Redirect, Error> {
    let (id, index): (ExportId, String) = visit.path()?;
    let listing = listing(&visit, id, &index).await?;
    let part = listing.parts.into_iter().find(|part| part.index.to_string() == index).ok_or_else(code::not_found)?;
    let url = part.download.url.as_str();
    // The path alone, because the browser may know the service by another host. A bucket has a URL of its own.
    let path = url.strip_prefix(visit.context.base_url()).filter(|path| path.starts_with('/'));
    Ok(Redirect::to(path.unwrap_or(url)))
}

async fn listing(visit: &SignedIn, id: ExportId, cursor: &str) -> Result<Listing, Error> {
    let read = visit.operation("list_export_parts").path(&[id.as_str()]).query("cursor", cursor);
    let Answer { data } = read.answer().await?;
    Ok(data)
}

fn facts(export: &Export, state: ExportState) -> Markup {
    html! {
        p { span.state { (words::export(state)) } }
        dl.facts {
            div { dt { (text!("Room")) } dd { code { (export.room_id) } } }
            div { dt { (text!("Made")) } dd { (time(export.created_at)) } }
            @if let Some(at) = export.expires_at { div { dt { (text!("Can be downloaded until")) } dd { (time(at)) } } }
        }
    }
}

fn why_not(state: ExportState) -> Text {
    match state {
        ExportState::Building => text!("It is being built. Load this page again in a while."),
        ExportState::Failed => text!("Its build has failed. Ask the operator for another one."),
        ExportState::Expired => text!("It has expired. Ask the operator for another one."),
        ExportState::Revoked => text!("The operator has revoked it."),
        // Its parts are shown instead.
        ExportState::Ready => text!("Ready"),
    }
}

fn parts(id: ExportId, listing: &Listing) -> Markup {
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { (text!("Part")) }
                    th scope="col" { (text!("Size")) }
                    th scope="col" { (text!("SHA-256")) }
                }
            }
            tbody {
                @for part in &listing.parts {
                    tr {
                        th scope="row" { a href=(format!("/exports/{id}/parts/{}", part.index)) { bdi { (part.file_name) } } }
                        td { (bytes(part.bytes)) }
                        td { code { (part.sha256) } }
                    }
                }
            }
        }
    };
    html! {
        h2 { (text!("Parts")) }
        (scrollable(text!("The parts of the export"), table))
        @if let Some(next) = listing.next_cursor {
            nav.pages aria-label=(text!("Pages of the parts")) {
                a rel="next" href=(format!("/exports/{id}?cursor={next}")) { (text!("Next parts")) }
            }
        }
        @if listing.part_count > 1 {
            p {
                (text!("Join the parts in order: the result is {file}.", file = html! { bdi { (listing.file_name) } }))
            }
        }
        p {
            (text!("Together they have {size} and the SHA-256 {hash}.", size = bytes(listing.bytes), hash = html! { code { (listing.sha256) } }))
            " "
            @let manifest = html! { a href="/docs/get_export_manifest" { code { "get_export_manifest" } } };
            (text!("A signed manifest names the same hashes: {manifest}.", manifest = manifest))
        }
    }
}
