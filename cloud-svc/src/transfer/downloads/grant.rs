//! `POST /v1/files/{file_id}/download-grants`: make a link to download a version of a file.

use serde::{Deserialize, Serialize};
use shared_model::{Error, Failure, Problem, Refusal, Timestamp, code, words};
use shared_runtime::{Answer, Body, Caller, Context, Path};
use utoipa::ToSchema;

use super::{
    form::{Form, Format, formats},
    link::{DownloadLink, LIFETIME},
    source::{Kept, Source, kept},
};
use crate::{
    base::{
        ids::{DownloadId, FileId, VersionId},
        owner::Owner,
        permissions::ReadFiles,
    },
    files::{self, file::File, native::sheets::stored::NO_SUCH_SHEET},
};
use cloud_content::spreadsheets::content::SpreadsheetContent;

shared_model::json_object! {
    /// What to download.
    #[derive(Debug)]
    pub struct CreateDownloadGrant {
        /// A version of the file; absent: the current one.
        pub version_id: Option<VersionId>,
        /// The format of native content; `json` when absent. Uploaded files are downloaded unchanged.
        pub format: Option<Format>,
        /// With `csv`: the name of a sheet; absent: the first.
        pub sheet: Option<String> as shared_model::rule::Text<190>,
    }
    example = {};
}

/// A link to download a version of a file.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct DownloadGrant {
    /// An id of the link for support.
    pub id: DownloadId,
    /// Everybody who has the link can download the file.
    #[schema(example = "https://cloud.example.com/v1/downloads/ASNFZ4mrze8BI0VniavN7wAAAAEBI0VniavN7w")]
    pub url: String,
    pub method: DownloadMethod,
    /// When the link stops working for new downloads.
    pub expires_at: Timestamp,
    /// Size of the download.
    #[schema(example = 2_621_440)]
    pub bytes: u64,
    /// SHA-256 of these bytes, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub sha256: String,
    /// The media type, recognized from the bytes.
    #[schema(example = "application/pdf")]
    pub mime: String,
    /// The suggested file name; untrusted.
    #[schema(example = "Drawings.pdf")]
    pub filename: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub enum DownloadMethod {
    #[serde(rename = "GET")]
    Get,
}

/// One download link.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct DownloadAnswer {
    pub download: DownloadGrant,
}

// Nothing is stored: the link carries all that it grants, under a MAC.
pub async fn grant(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Body(CreateDownloadGrant { version_id, format, sheet }): Body<CreateDownloadGrant>,
    context: Context,
) -> Result<Answer<DownloadAnswer>, Error> {
    let (owner, now) = (Owner::of_caller(&caller)?, context.clock.now());
    let find = move |conn: &mut _| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let version = version_id.or(file.current_version_id).ok_or_else(no_content)?;
        let kept = kept(conn, &file, version)?.ok_or_else(no_such_version)?;
        Ok((file, version, kept))
    };
    let (file, version, kept) = context.look_up(find).await?;
    let form = form(&file, &kept, format, sheet.as_deref())?;
    let Source { whole, .. } =
        Source::of(file, kept, form).await?.ok_or_else(|| Failure::fault("a form that was found has no content"))?;
    let access_grant = caller.grant_id.clone();
    let link = DownloadLink {
        owner: owner.workspace(),
        file: id,
        version,
        form,
        expires_at: now.plus(LIFETIME),
        access_grant,
    };
    let download = DownloadGrant {
        id: DownloadId::from_bytes(context.random.bytes16()),
        url: context.href(&link.path(&context.secret)),
        method: DownloadMethod::Get,
        expires_at: link.expires_at,
        bytes: whole.bytes,
        sha256: hex::encode(whole.sha256),
        mime: whole.content_type,
        filename: whole.file_name,
    };
    Ok(Answer::ok(&DownloadAnswer { download })?)
}

/// 422 if the file does not have the format, 404 if the workbook does not have the sheet.
fn form(file: &File, kept: &Kept, format: Option<Format>, sheet: Option<&str>) -> Result<Form, Error> {
    if sheet.is_some() && format != Some(Format::Csv) {
        return Err(problem("/sheet", "must come with the format csv".to_owned()));
    }
    let text = match kept {
        Kept::Blobs(..) if format.is_none() => return Ok(Form::AsUploaded),
        Kept::Blobs(..) => {
            return Err(problem("/format", "must be absent: an uploaded file has no other format".to_owned()));
        }
        Kept::Text(text) => text,
    };
    let format = format.unwrap_or(Format::Json);
    let there = formats(file.kind);
    if !there.contains(&format) {
        let names: Vec<_> = there.iter().map(|format| format.as_str().to_owned()).collect();
        let rule = format!("must be one of {} for a {}", words::join_and(&names), file.kind.as_str());
        return Err(problem("/format", rule));
    }
    Ok(match format {
        Format::Json => Form::Json,
        Format::Markdown => Form::Markdown,
        Format::Xlsx => Form::Xlsx,
        Format::Csv => Form::Csv(match sheet {
            None => 0,
            Some(name) => {
                let content: SpreadsheetContent = serde_json::from_str(text).map_err(Failure::from)?;
                let index = content.sheet(name).and_then(|(index, _)| u16::try_from(index).ok());
                index.ok_or_else(|| code::not_found().because("The workbook has no such sheet.").step(NO_SUCH_SHEET))?
            }
        }),
    })
}

fn problem(at: &str, rule: String) -> Error {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: at.to_owned(), rule }]).into()
}

fn no_content() -> Error {
    problem("file_id", "must be a file: folders have no content".to_owned())
}

fn no_such_version() -> Refusal {
    let problems = vec![Problem { at: "/version_id".to_owned(), rule: "must be a version of the file".to_owned() }];
    Refusal::problems(&code::NOT_FOUND, problems).because("The file has no such version.")
}
