//! `GET /f/{file_id}/authors`: who wrote each part of a version, and who approved it.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn, scrollable};

use super::{
    crumbs,
    phrases::{actor, address, file_href, name, time, untrusted},
    plan::part_names::PartNames,
};
use crate::{
    base::ids::FileId,
    files::{
        authorship::{read::Authorship, record::AuthorshipRun},
        details::{read::DetailsAnswer, record::PathEntry},
        file::FileRecord,
        versions::read::VersionAnswer,
    },
};
use cloud_content::file_type::FileType;

/// Nothing for what has no parts.
pub fn link(visit: &SignedIn, file: &FileRecord, version: &str) -> Markup {
    let has_parts = !matches!(file.kind, FileType::Folder | FileType::Pdf | FileType::UploadedFile);
    html! {
        @if has_parts && visit.may("get_authorship") {
            a.button.quiet href=(address(&href(file.id), &[("version", version)])) { (text!("Who wrote this")) }
        }
    }
}

pub async fn authors(visit: SignedIn) -> Result<Page, Error> {
    let (id,): (FileId,) = visit.path()?;
    let [id_text, version, cursor] =
        [id.to_string(), text(&visit, "version").to_owned(), text(&visit, "cursor").to_owned()];
    let read = visit.operation("get_authorship").path(&[&id_text]).query("version", &version).query("cursor", &cursor);
    let list: Authorship = read.answer().await?;
    let details = visit.operation("get_file_details").path(&[&id_text]);
    let DetailsAnswer { file, details, .. } = details.answer().await?;
    let version = list.version_id.to_string();
    // The names come from the version that was asked for: later ones may have lost the parts.
    let names = if has_ids(file.kind) {
        let read: VersionAnswer = visit.operation("get_version").path(&[&id_text, &version]).answer().await?;
        PartNames::of(&serde_json::from_str(read.content.get())?)
    } else {
        PartNames::default()
    };
    let mut folders = details.path;
    // The last crumb leads back to the file.
    folders.push(PathEntry { id, name: file.name.clone() });
    let body = html! {
        (crumbs::show(&folders))
        (untrusted(text!("The name of each part")))
        (table(&file, &list.items, &names))
        @if let Some(cursor) = &list.next_cursor {
            nav.pages aria-label=(text!("Pages of the parts")) {
                a rel="next" href=(address(&href(id), &[("version", &version), ("cursor", cursor)])) {
                    (text!("Next parts"))
                }
            }
        }
    };
    Ok(Page::new(title!("Who wrote {file}", file = file.name), body)
        .heading(text!("Who wrote {file}", file = name(&file.name))))
}

fn href(id: FileId) -> String {
    format!("{}/authors", file_href(id))
}

fn text<'v>(visit: &'v SignedIn, name: &str) -> &'v str {
    visit.value(name).unwrap_or_default()
}

/// Lines and cells have names that people know; all others have ids.
fn has_ids(kind: FileType) -> bool {
    matches!(kind, FileType::Document | FileType::Publication | FileType::Presentation)
}

fn table(file: &FileRecord, runs: &[AuthorshipRun], names: &PartNames) -> Markup {
    scrollable(
        text!("Parts and their authors"),
        html! {
            table {
                thead {
                    tr {
                        th scope="col" { (text!("Part")) }
                        th scope="col" { (text!("Written by")) }
                        th scope="col" { (text!("Approved by")) }
                        th scope="col" { (text!("When")) }
                    }
                }
                tbody { @for run in runs { (row(file, run, names)) } }
            }
        },
    )
}

fn row(file: &FileRecord, run: &AuthorshipRun, names: &PartNames) -> Markup {
    html! {
        tr {
            td dir="auto" { (place(file.kind, &run.place, names)) }
            td {
                @match &run.author {
                    Some(author) => (actor(author)),
                    None => (text!("not known")),
                }
                @for other in &run.co_authors { ", " (text!("with {other}", other = actor(other))) }
            }
            td { @if let Some(by) = &run.approved_by { (actor(by)) } }
            td {
                @if let Some(at) = run.at {
                    @match &run.plan_id {
                        Some(plan) => a href=(format!("{}/plans/{plan}", file_href(file.id))) { (time(at)) },
                        None => (time(at)),
                    }
                }
            }
        }
    }
}

/// The first and the last part, by their words where they have some.
fn place(kind: FileType, place: &str, names: &PartNames) -> Markup {
    let lines = place.strip_prefix("content!").filter(|_| kind == FileType::Note);
    let (first, last) = lines.unwrap_or(place).split_once(':').unwrap_or((lines.unwrap_or(place), ""));
    html! {
        @match (names.get(first), names.get(last)) {
            _ if lines.is_some() && last.is_empty() => (text!("Line {line}", line = first)),
            _ if lines.is_some() => (text!("Lines {first} to {last}", first = first, last = last)),
            (Some(first), Some(last)) => (text!("{first} to {last}", first = name(first), last = name(last))),
            (Some(first), None) => (name(first)),
            (None, _) => code { bdi { (place) } },
        }
    }
}
