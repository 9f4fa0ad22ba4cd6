//! The versions of a file that an edit is about.

use serde::de::DeserializeOwned;
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::pages::SignedIn;

use crate::{
    base::ids::FileId,
    files::{file::FileAnswer, versions::read::VersionAnswer},
};

/// The version that the person edits: the one that the form names, or the current one.
// Not always the current one: what others wrote meanwhile must not look like a deletion of this person.
pub async fn edited(visit: &SignedIn) -> Result<VersionAnswer, Error> {
    let (id,): (FileId,) = visit.path()?;
    let id = id.to_string();
    let version = match visit.value("version").filter(|version| !version.is_empty()) {
        Some(version) => version.to_owned(),
        None => {
            let file = visit.operation("get_file").path(&[&id]).answer::<FileAnswer>().await?.file;
            file.current_version_id.ok_or_else(not_editable)?.to_string()
        }
    };
    visit.operation("get_version").path(&[&id, &version]).answer().await
}

/// The newest content of a file, if it is not the one that the person edits.
pub async fn current<C: DeserializeOwned>(visit: &SignedIn, base: &VersionAnswer) -> Result<Option<C>, Error> {
    match base.file.current_version_id {
        Some(newest) => other(visit, base, &newest.to_string()).await,
        None => Ok(None),
    }
}

/// The content that was the newest when the form was shown, if it is not the one that the person edits.
// Not the newest now: a form that is sent twice must make the same edits. Its ETag is refused if there is a newer one.
pub async fn seen<C: DeserializeOwned>(visit: &SignedIn, base: &VersionAnswer) -> Result<Option<C>, Error> {
    match visit.value("newest").filter(|newest| !newest.is_empty()) {
        Some(newest) => other(visit, base, newest).await,
        None => current(visit, base).await,
    }
}

async fn other<C: DeserializeOwned>(visit: &SignedIn, base: &VersionAnswer, id: &str) -> Result<Option<C>, Error> {
    if id == base.version.id.to_string() {
        return Ok(None);
    }
    let read = visit.operation("get_version").path(&[&base.file.id.to_string(), id]);
    let VersionAnswer { content, .. } = read.answer().await?;
    Ok(Some(serde_json::from_str(content.get())?))
}

/// 422 for files that have other ways to be edited.
pub fn not_editable() -> Refusal {
    let problem = Problem { at: "The file".to_owned(), rule: "must be a note, a document or a spreadsheet".to_owned() };
    Refusal::problems(&code::INVALID_FIELD, vec![problem])
}
