//! `GET /f/{file_id}/compare`: what changed from one version to another.

use maud::{Markup, html};
use shared_model::{Error, code};
use shared_runtime::pages::{Page, SignedIn};

use super::{
    crumbs, paging,
    phrases::{actor, address, bytes, file_href, name, time, untrusted},
    plan::{changes, part_names::PartNames, shown_plan::ShownChange},
    version_forms,
};
use crate::{
    base::ids::{FileId, VersionId},
    files::{
        details::{read::DetailsAnswer, record::PathEntry},
        version_store::VersionRecord,
        versions::compare::Comparison,
    },
};

/// `from` and `to` are versions of the file.
pub async fn compare(visit: SignedIn) -> Result<Page, Error> {
    let (id,): (FileId,) = visit.path()?;
    let id = id.to_string();
    let value = |name| visit.value(name).unwrap_or_default();
    let (from, to, page) = (value("from"), value("to"), paging::asked(visit.value("page"))?);
    // The operation would name its own parameter, which nobody has sent here.
    to.parse::<VersionId>().map_err(|rule| code::invalid_parameter("to", rule))?;
    let call = visit.operation("compare_versions").path(&[&id, from]).query("with", to);
    let compared: Comparison = call.answer().await?;
    let changed: Vec<ShownChange> = serde_json::from_str(compared.changes.get())?;
    let DetailsAnswer { file, details, .. } = visit.operation("get_file_details").path(&[&id]).answer().await?;
    let mut folders = details.path;
    folders.push(PathEntry { id: file.id, name: file.name.clone() });
    let here = format!("{}/compare", file_href(file.id));
    let href = |page: usize| address(&here, &[("from", from), ("to", to), ("page", &page.to_string())]);
    let body = html! {
        (crumbs::show(&folders))
        dl.facts {
            div { dt { (text!("From")) } dd { (version(&compared.from)) } }
            div { dt { (text!("To")) } dd { (version(&compared.to)) } }
            div {
                dt { (text!("Size")) }
                dd { (bytes(compared.summary.bytes_before)) " → " (bytes(compared.summary.bytes_after)) }
            }
        }
        p { a href=(address(&here, &[("from", to), ("to", from)])) { (text!("The other way around")) } }
        section.changes aria-labelledby="changes" {
            h2 #changes { (text!("Changes")) }
            (untrusted(text!("What the versions say")))
            (changes::list(&changed, &PartNames::default(), page, href))
        }
        (version_forms::restore(&visit, &file, compared.from.id, text!("Restore the first of the two")))
    };
    let page = Page::new(title!("Versions of {file}", file = file.name), body);
    Ok(page.heading(text!("Versions of {file}", file = name(&file.name))))
}

fn version(version: &VersionRecord) -> Markup {
    let href = address(&file_href(version.file_id), &[("version", &version.id.to_string())]);
    let time = html! { a href=(href) { (time(version.created_at)) } };
    text!("{time} by {author}", time = time, author = actor(&version.actor))
}
