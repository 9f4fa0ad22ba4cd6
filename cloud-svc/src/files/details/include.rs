//! `include=details`: details of the files of a list.

use shared_model::{Error, Timestamp};
use shared_runtime::{Context, Params, http::contract::QueryParameter};

use super::{record::DetailsById, store};
use crate::{base::owner::Owner, files::file::File};

shared_model::text_enum! {
    /// What a list has beside the records.
    pub enum Include {
        Details = "details",
    }
}

impl Include {
    pub fn parameter() -> QueryParameter {
        QueryParameter::one_of("include", Self::ALL, "`details`: the answer has the details of each file.")
    }

    /// `None` if the parameter is wrong.
    pub fn from_query(params: &mut Params<'_>) -> Option<Option<Self>> {
        params.one_of("include", Self::ALL)
    }
}

/// The details of a page of files, if they are asked for.
pub async fn of_page(
    context: &Context,
    owner: Owner,
    include: Option<Include>,
    page: Vec<File>,
    now: Timestamp,
) -> Result<Option<DetailsById>, Error> {
    let Some(Include::Details) = include else { return Ok(None) };
    context.read(move |conn| Ok(Some(store::load(conn, owner, &page, now)?))).await
}
