//! `GET /f/{file_id}`: the record of a file, a version with comments, open plans and all versions.

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::value::RawValue;
use shared_model::{Error, Failure, code};
use shared_runtime::pages::{Page, SignedIn};

use super::{
    answer::member,
    contents::{self, shown::Shown},
    crumbs,
    discussion::Discussion,
    download, history, listing,
    listing::FileSeen,
    open_plans, paging,
    phrases::{address, name, time, untrusted},
    workspace,
};
use crate::base::ids::FileId;
use cloud_content::file_type::FileType;

const COMMENTS: &str = "100";

// Content stays raw JSON: it may have megabytes, and its type is known from the record.
#[derive(Deserialize)]
struct VersionSeen<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
    #[serde(default)]
    content_warnings: Vec<Warning>,
}

#[derive(Deserialize)]
struct Warning {
    code: String,
    block_id: String,
    count: usize,
}

pub async fn file(visit: SignedIn) -> Result<Page, Error> {
    let (id,): (FileId,) = visit.path()?;
    let id = id.to_string();
    let file: FileSeen = member(visit.operation("get_file").path(&[&id]).answer().await?, "file")?;
    let folders = crumbs::folders(&visit, file.parent_id.as_deref()).await?;
    // A folder has no versions.
    let body = match &file.current_version_id {
        None => workspace::folder(&visit, &id, visit.value("cursor").unwrap_or_default()).await?,
        Some(current) => content(&visit, &file, current).await?,
    };
    let body = html! { (crumbs::show(&folders)) (facts(&file)) (body) };
    Ok(Page::new(file.name.as_str(), body).heading(name(&file.name)))
}

fn facts(file: &FileSeen) -> Markup {
    html! {
        @if file.is_trashed() { p.alert { strong { "In the trash." } " It can be read, and not changed." } }
        dl.facts {
            div { dt { "Type" } dd { (listing::kind(&file.kind)) } }
            div { dt { "Changed" } dd { (time(file.updated_at)) } }
            div { dt { "Created" } dd { (time(file.created_at)) } }
            @if let Some(version) = &file.current_version_id { div { dt { "Version" } dd { code { (version) } } } }
            div { dt { "Entity tag" } dd { code { (file.etag) } } }
        }
    }
}

async fn content(visit: &SignedIn, file: &FileSeen, current: &str) -> Result<Markup, Error> {
    let value = |name| visit.value(name).unwrap_or_default();
    let (asked, page, sheet) =
        (value("version"), paging::asked(visit.value("page"))?, contents::asked_sheet(visit.value("sheet"))?);
    let version = if asked.is_empty() { current } else { asked };
    let is_current = version == current;
    let answer = visit.operation("get_version").path(&[&file.id, version]).text().await?;
    let seen: VersionSeen<'_> = serde_json::from_str(&answer).map_err(Failure::from)?;
    let comments = visit.operation("list_comments").path(&[&file.id]).query("limit", COMMENTS);
    let comments = comments.query("cursor", value("comments")).answer().await?;
    let discussion = Discussion::of(comments).map_err(Failure::from)?;
    let href = |sheet: Option<usize>, page: usize| {
        let (sheet, page) = (sheet.map_or(String::new(), |sheet| sheet.to_string()), page.to_string());
        address(&file.href(), &[("version", asked), ("sheet", &sheet), ("page", if page == "1" { "" } else { &page })])
    };
    let kind = FileType::from_word(&file.kind).ok_or_else(code::not_found)?;
    // Before `discussion.others`: rendering notes which comments stand beside the content.
    let shown =
        contents::render(kind, seen.content.get(), &Shown { page, sheet, discussion: &discussion, href: &href })?;
    let plans = open_plans::show(visit, file).await?;
    let versions = history::show(visit, file, version, value("versions")).await?;
    Ok(html! {
        @if !is_current {
            p.alert { strong { "An old version." } " This is " code { (version) } ". " a href=(file.href()) { "Read the current one" } }
        }
        (plans)
        section.what aria-labelledby="content" {
            h2 #content { "Content" }
            (untrusted("The content of this file"))
            (warnings(&seen.content_warnings))
            (shown)
            @if matches!(kind, FileType::Pdf | FileType::UploadedFile) { (download::form(visit, &file.id, version)) }
        }
        (discussion.others(|cursor| address(&file.href(), &[("version", asked), ("comments", cursor)])))
        (versions)
    })
}

// Above the content, so that people read it first.
fn warnings(warnings: &[Warning]) -> Markup {
    html! {
        @if !warnings.is_empty() {
            div.alert role="group" aria-label="Warnings about the content" {
                p { strong { "Look twice:" } }
                ul {
                    @for warning in warnings {
                        li { (said(&warning.code)) " (" (warning.count) "×" @if !warning.block_id.is_empty() { ", at " code { bdi { (warning.block_id) } } } ")" }
                    }
                }
            }
        }
    }
}

fn said(code: &str) -> &str {
    match code {
        "bidi_control" => "characters that change the direction of text",
        "hidden_link_text" => "a link whose text hides its target",
        "invisible_characters" => "invisible characters",
        "tag_characters" => "invisible characters that can hide instructions",
        "very_long_line" => "a very long line",
        other => other,
    }
}
