//! `GET /v1/documents/{file_id}/edit-plans/{plan_id}/word-choices`: the changes that a person accepted and rejected in a
//! Word file of the plan.

use serde::{Deserialize, Serialize};
use shared_model::{Error, refusal::NextStep};
use shared_runtime::{Answer, Caller, Context, FromQuery, Params, Path, Query, State, http::contract::QueryParameter};
use utoipa::ToSchema;

use super::versions::{self, Changed, Found};
use crate::{
    base::{
        heavy::heavy,
        ids::{FileId, PlanId},
        links::FileLinks,
        owner::Owner,
        permissions::ReadFiles,
    },
    files::{
        precondition,
        uploaded::{not_readable, uploaded},
    },
};
use cloud_content::{
    change_id::ChangeId,
    documents::word::{self, Choice, Unexpected, choices},
    foreign,
};

const WORD_FILE: &str = "word_file_id";

pub const NO_SUCH_FILE: NextStep = NextStep::CorrectOne(WORD_FILE, "must be an uploaded file that you can see");

/// What a person chose in a Word file of a plan.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WordChoices {
    /// The changes to split off: `split` takes them.
    #[schema(max_items = 20_000)]
    pub accepted: Vec<ChangeId>,
    #[schema(max_items = 20_000)]
    pub rejected: Vec<ChangeId>,
    /// Changes that are still tracked in the file, and those that its text does not show: of settings, looks and order.
    #[schema(max_items = 20_000)]
    pub open: Vec<ChangeId>,
}

#[derive(Debug)]
pub struct FromWord(FileId);

impl FromQuery for FromWord {
    fn describe() -> Vec<QueryParameter> {
        let what = "The uploaded Word file: `word` of this plan, with changes accepted or rejected.";
        vec![QueryParameter::typed::<FileId>(WORD_FILE, true, what)]
    }

    // A missing parameter is refused by `params` itself.
    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        match params.text(WORD_FILE)?.parse() {
            Ok(file) => Some(Self(file)),
            Err(rule) => params.refuse(WORD_FILE, rule),
        }
    }
}

pub async fn read_choices(
    caller: Caller<ReadFiles>,
    Path((file, plan)): Path<(FileId, PlanId)>,
    Query(FromWord(word_file)): Query<FromWord>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<WordChoices>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let found = context.read(move |conn| versions::find(conn, owner, file, plan, &links)).await?;
    let uploaded = uploaded(&context, owner, word_file, WORD_FILE).await;
    let (_, bytes) =
        uploaded.map_err(|error| precondition::not_found_at(error, NO_SUCH_FILE, "There is no such file."))?;
    let broken = || refused("must be a readable Word file".to_owned());
    let chosen = heavy(move || foreign::read_or(broken, || chosen(&found, &bytes)));
    Ok(Answer::ok(&chosen.await??)?)
}

fn chosen(Found { changes, versions, .. }: &Found, bytes: &[u8]) -> Result<WordChoices, Error> {
    let paragraphs = word::read(bytes).map_err(refused)?;
    let choices = choices(versions, &paragraphs).map_err(|unexpected| refused(says(&unexpected)))?;
    let mut chosen = WordChoices::default();
    for Changed { id, block_id, .. } in changes {
        let list = match block_id.as_ref().and_then(|block| choices.get(block)) {
            Some(Choice::Accepted) => &mut chosen.accepted,
            Some(Choice::Rejected) => &mut chosen.rejected,
            Some(Choice::Open) | None => &mut chosen.open,
        };
        list.push(id.clone());
    }
    Ok(chosen)
}

fn says(Unexpected { paragraph, text, block }: &Unexpected) -> String {
    let found = match text {
        Some(text) => format!("paragraph {paragraph} is \"{}\"", text.chars().take(80).collect::<String>()),
        None => format!("the text ends before paragraph {paragraph}"),
    };
    let near = block.as_ref().map_or(String::new(), |block| format!(" near the change of block {block}"));
    format!(
        "must have the text of the plan, with each changed paragraph accepted or rejected as a whole; {found}{near}. To \
         write other words, amend the plan"
    )
}

fn refused(rule: String) -> Error {
    not_readable(WORD_FILE, rule).into()
}
