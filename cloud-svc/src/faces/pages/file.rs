//! `GET /f/{file_id}`: the record of a file, a version with comments, open plans and all versions.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn, Text};

use super::{
    authors,
    comment_forms::Forms,
    contents::{self, shown::Shown},
    convert_form, crumbs,
    discussion::Discussion,
    download,
    editable::may_edit,
    history, listing, open_plans, organize, paging,
    phrases::{address, file_href, name, time, untrusted},
    preview, refused, up_to_date, version_forms, workspace,
};
use crate::{
    base::ids::{FileId, VersionId},
    files::{
        details::read::DetailsAnswer,
        file::{FileRecord, FileState},
        versions::read::VersionAnswer,
    },
};
use cloud_content::{
    file_type::FileType,
    hidden_text::{ContentWarning, HiddenTextCode},
};

const COMMENTS: &str = "100";

pub async fn file(visit: SignedIn) -> Result<Page, Error> {
    page(&visit, None).await
}

/// `refused` is the refusal of the form that was sent. What was typed stays in the form.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let (id,): (FileId,) = visit.path()?;
    let details = visit.operation("get_file_details").path(&[&id.to_string()]);
    let DetailsAnswer { file, details, .. } = details.answer().await?;
    // A folder has no versions.
    let body = match file.current_version_id {
        None => workspace::folder(visit, &file, visit.value("cursor").unwrap_or_default()).await?,
        Some(current) => content(visit, &file, current).await?,
    };
    let body =
        html! { (crumbs::show(&details.path)) (facts(&file)) (organize::show(visit, &file)) (body) (ids(&file)) };
    let alert = match refused {
        Some(refusal) => refused::alert(visit, Some(id), refusal, &body).await?,
        None => Markup::default(),
    };
    let body = html! { (alert) (body) };
    let page = Page::new(file.name.as_str(), body).heading(name(&file.name)).watched(up_to_date::path(&file, None));
    Ok(match refused {
        // With the status of the refusal, not 200.
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

fn facts(file: &FileRecord) -> Markup {
    html! {
        @if file.state == FileState::Trashed {
            p.alert { strong { (text!("In the trash.")) } " " (text!("It can be read, but not changed.")) }
        }
        dl.facts {
            div { dt { (text!("Type")) } dd { (listing::label(file.kind)) } }
            div { dt { (text!("Changed")) } dd { (time(file.updated_at)) } }
            div { dt { (text!("Created")) } dd { (time(file.created_at)) } }
        }
    }
}

/// For those who compare it with what a program says.
fn ids(file: &FileRecord) -> Markup {
    html! {
        details.organize {
            summary { (text!("Details")) }
            dl.facts {
                div { dt { (text!("File")) } dd { code { (file.id) } } }
                @if let Some(version) = &file.current_version_id {
                    div { dt { (text!("Version")) } dd { code { (version) } } }
                }
                div { dt { (text!("Entity tag")) } dd { code { (file.etag) } } }
            }
        }
    }
}

async fn content(visit: &SignedIn, file: &FileRecord, current: VersionId) -> Result<Markup, Error> {
    let value = |name| visit.value(name).unwrap_or_default();
    let (asked, page, sheet) =
        (value("version"), paging::asked(visit.value("page"))?, contents::asked_sheet(visit.value("sheet"))?);
    let (id, file_href) = (file.id.to_string(), file_href(file.id));
    let current = current.to_string();
    let version = if asked.is_empty() { &current } else { asked };
    let shown_version: VersionAnswer = visit.operation("get_version").path(&[&id, version]).answer().await?;
    let version_id = shown_version.version.id;
    let comments = visit.operation("list_comments").path(&[&id]).query("limit", COMMENTS);
    let list = comments.query("cursor", value("comments")).answer().await?;
    let discussion = Discussion::new(Forms::new(visit, file), list);
    let href = |sheet: Option<usize>, page: usize| {
        let (sheet, page) = (sheet.map_or(String::new(), |sheet| sheet.to_string()), page.to_string());
        address(&file_href, &[("version", asked), ("sheet", &sheet), ("page", if page == "1" { "" } else { &page })])
    };
    // Before `discussion.others`: rendering notes which comments are next to the content.
    let shown = Shown { page, sheet, discussion: &discussion, href: &href };
    let mut content = contents::render(file.kind, shown_version.content.get(), &shown)?;
    if matches!(file.kind, FileType::Pdf | FileType::UploadedFile) {
        let uploaded = serde_json::from_str(shown_version.content.get())?;
        let seen = preview::show(visit, file, version_id, &uploaded, &shown).await?;
        content = html! { (seen) (content) (convert_form::form(visit, file, version_id, &uploaded)) };
    }
    let plans = open_plans::show(visit, file).await?;
    let versions = history::show(visit, file, version_id, value("versions")).await?;
    Ok(html! {
        @if *version != current {
            p.alert {
                strong { (text!("An old version.")) }
                " " (text!("This is {version}.", version = html! { code { (version) } })) " " a href=(file_href) {
                    (text!("Read the current one"))
                }
            }
            (version_forms::restore(visit, file, version_id, text!("Make it the current one again")))
        }
        (plans)
        section.what aria-labelledby="content" {
            h2 #content { (text!("Content")) }
            // An upload has neither.
            @if !matches!(file.kind, FileType::Pdf | FileType::UploadedFile) {
                p.tools {
                    @if may_edit(visit, file) {
                        a.button.quiet href=(format!("{file_href}/edit")) aria-keyshortcuts="e" { (text!("Edit")) }
                    }
                    (authors::link(visit, file, asked))
                }
            }
            (untrusted(text!("The content of this file")))
            (warnings(&shown_version.content_warnings))
            (content)
            (download::form(visit, file, version))
        }
        (discussion.others(|cursor| address(&file_href, &[("version", asked), ("comments", cursor)])))
        (versions)
    })
}

// Above the content, so that people read it first.
fn warnings(warnings: &[ContentWarning]) -> Markup {
    html! {
        @if !warnings.is_empty() {
            div.alert role="group" aria-label=(text!("Warnings about the content")) {
                p { strong { (text!("Check carefully:")) } }
                ul {
                    @for warning in warnings {
                        li {
                            (explanation(warning.code)) " (" (warning.count) "×"
                            @if !warning.block_id.is_empty() {
                                ", " (text!("at {place}", place = html! { code { bdi { (warning.block_id) } } }))
                            }
                            ")"
                        }
                    }
                }
            }
        }
    }
}

fn explanation(code: HiddenTextCode) -> Text {
    match code {
        HiddenTextCode::BidiControl => text!("characters that change the direction of text"),
        HiddenTextCode::HiddenLinkText => text!("a link whose text hides its target"),
        HiddenTextCode::InvisibleCharacters => text!("invisible characters"),
        HiddenTextCode::TagCharacters => text!("invisible characters that can hide instructions"),
        HiddenTextCode::UnrenderedText => text!("text that the page does not show"),
        HiddenTextCode::VeryLongLine => text!("a very long line"),
    }
}
