//! `PUT /v1/agents/{grant_id}/limits`: sets what an agent may see and do.

use shared_model::{
    Error, Problem, Refusal, code,
    rule::{Array, Integer, MINOR_MAX},
};
use shared_runtime::{Answer, Body, Conn, Path};

use super::{person, read::LimitsAnswer, record};
use crate::{
    base::{
        ids::{FileId, GrantId},
        permissions::ApproveEdits,
    },
    files,
    workspace::{
        agents::{self, May, NewLimits},
        command::{ChangeContext, Command},
    },
};
use cloud_content::file_type::FileType;

const FOLDERS: usize = 20;

shared_model::json_object! {
    /// The limits of an agent. They take the place of those that it has; what is absent is not limited.
    #[derive(Debug)]
    pub struct SetLimits {
        /// The folders that it sees, with all that is in them.
        pub folders: Option<Vec<FileId>> as Array<FileId, 1, FOLDERS>,
        /// The types of files that it sees. It always sees folders.
        pub types: Option<Vec<FileType>> as Array<FileType, 1, 8>,
        /// `read`; `propose`: also propose and comment; `apply`: all that its scopes and the policy of the workspace allow.
        pub may: May,
        /// How much it may write in a day, which begins at midnight UTC.
        pub bytes_per_day: Option<i64> as Integer<0, MINOR_MAX>,
    }
    example = {"folders": ["file_12"], "types": ["note", "document"], "may": "propose", "bytes_per_day": 1_048_576};
}

pub async fn set(
    command: Command<ApproveEdits>,
    Path((grant,)): Path<(GrantId,)>,
    Body(SetLimits { folders, types, may, bytes_per_day }): Body<SetLimits>,
) -> Result<Answer<LimitsAnswer>, Error> {
    command
        .run(move |conn, by| {
            person::check_actor(&by.author.actor)?;
            let agent = agents::find(conn, by.workspace(), grant.as_str())?.ok_or_else(code::not_found)?;
            check_folders(conn, by, folders.as_deref().unwrap_or_default())?;
            let limits = NewLimits { folders: folders.as_deref(), types: types.as_deref(), may, bytes_per_day };
            agents::set_limits(conn, agent.number, &limits, &by.author.actor_json, by.at)?;
            // As they are stored, so that the answer is what the next read says.
            let agent = agents::find(conn, by.workspace(), grant.as_str())?.ok_or_else(code::not_found)?;
            Ok(Answer::ok(&LimitsAnswer { limits: record::limits(conn, &agent)? })?)
        })
        .await
}

/// 422 for each id that is not a folder that the caller sees.
fn check_folders(conn: &mut Conn, by: &ChangeContext, folders: &[FileId]) -> Result<(), Error> {
    let mut problems = Vec::new();
    for (index, folder) in folders.iter().enumerate() {
        let found = files::store::find(conn, by.owner(), *folder)?;
        // A file would be a room of one, which its next copy leaves.
        if found.is_none_or(|file| file.kind != FileType::Folder) {
            let rule = "must be a folder that you can see".to_owned();
            problems.push(Problem { at: format!("/folders/{index}"), rule });
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Refusal::problems(&code::INVALID_FIELD, problems).into()) }
}
