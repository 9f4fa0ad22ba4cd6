//! `POST /f/{file_id}/convert`: converts an upload to a native file. The end of its name decides the type.

use serde_json::json;
use shared_model::Error;
use shared_runtime::pages::{PageResponse, SignedIn};

use super::{
    file,
    new_file::{Created, made},
    refused,
};
use crate::base::ids::FileId;

pub async fn convert(visit: SignedIn) -> Result<PageResponse, Error> {
    let (id,): (FileId,) = visit.path()?;
    let call = visit.operation("convert_file").path(&[&id.to_string()]).once();
    match call.json(json!({})).answer::<Created>().await {
        Ok(created) => Ok(made(&created)),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            file::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}
