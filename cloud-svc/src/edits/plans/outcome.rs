//! What plans would write, read before the transaction that writes it.

use std::{borrow::Cow, collections::HashMap};

use serde_json::value::RawValue;
use shared_model::{Error, Failure, json_column::Json};
use shared_runtime::Conn;

use super::{
    plan::{Effects, StoredPreview},
    store::{self, Texts},
};
use crate::{
    base::ids::{PlanId, WorkspaceId},
    workspace::command::Command,
};
use cloud_content::{canonical::Canonical, part_id::PartId};

/// What a plan shows and would write.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// JSON of [`StoredPreview`] without changes and totals, which answers about applied plans do not have.
    pub preview: String,
    /// `None` once it is deleted, and for a plan that changes nothing.
    pub content: Option<Canonical>,
    pub gone: Vec<PartId>,
    /// JSON text.
    pub operations: String,
    /// `None` in plans that were proposed before any was kept.
    pub authorship: Option<String>,
}

/// Outcomes by plan. Whether a plan may write its outcome is up to its row, which the transaction reads.
// No text of a plan changes while it is open. Read within the transaction, the texts of fifty plans would make others
// wait for megabytes to be parsed and hashed.
#[derive(Clone, Debug, Default)]
pub struct Outcomes(HashMap<PlanId, Outcome>);

impl Outcomes {
    pub async fn prepare<P>(
        command: &Command<P>,
        texts: impl Fn(&mut Conn, WorkspaceId) -> Result<Vec<(PlanId, Texts)>, Failure> + Send + 'static,
    ) -> Result<Self, Error> {
        let owner = command.by.workspace();
        command.context.read(move |conn| Ok(Self::parse(texts(conn, owner)?)?)).await
    }

    /// Those of these plans. What was not prepared is read now: a plan may have joined its proposal meanwhile.
    pub fn of(&self, conn: &mut Conn, owner: WorkspaceId, ids: &[PlanId]) -> Result<Cow<'_, Self>, Failure> {
        if ids.iter().all(|id| self.0.contains_key(id)) {
            return Ok(Cow::Borrowed(self));
        }
        Ok(Cow::Owned(Self::parse(store::texts(conn, owner, ids)?)?))
    }

    pub fn get(&self, id: PlanId) -> Result<&Outcome, Failure> {
        self.0.get(&id).ok_or_else(|| Failure::fault("the texts of a plan are gone"))
    }

    fn parse(texts: Vec<(PlanId, Texts)>) -> Result<Self, Failure> {
        let parsed = texts.into_iter().map(|(id, texts)| Ok((id, Outcome::parse(texts)?)));
        Ok(Self(parsed.collect::<Result<_, Failure>>()?))
    }
}

impl Outcome {
    fn parse(texts: Texts) -> Result<Self, Failure> {
        let Texts { preview, content, effects, operations, authorship } = texts;
        let Json(Effects { gone_part_ids: gone, link_domains, content_warnings }) = effects;
        let content = content.map(|text| Canonical::stored(text, content_warnings).linking_to(link_domains));
        let preview: StoredPreview = serde_json::from_str(&preview)?;
        let preview = StoredPreview { changes: RawValue::from_string("[]".to_owned())?, totals: None, ..preview };
        Ok(Self { preview: serde_json::to_string(&preview)?, content, gone, operations, authorship })
    }
}
