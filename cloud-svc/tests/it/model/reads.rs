//! Reads of files, their contents and versions, and lists of them.

use serde_json::{Value, json};
use shared_testing::histories::{Command, Expected, Seen, Way};

use super::{
    Cloud, Turn,
    actors::Refused,
    contents::Content,
    tree::{File, Kind},
};

type Made = Option<Command<Cloud>>;

/// How many items a page has where a request asks for a hundred: a tool does not.
pub fn page(way: Way) -> usize {
    if way == Way::Mcp { 20 } else { 100 }
}

/// The record, or 304 for a reader who has seen it.
pub fn file(turn: &mut Turn<'_>) -> Made {
    let (who, file) = (turn.anyone(), turn.file()?);
    let (has_seen, etag, id) = (turn.dice.percent(20), turn.etag_of(&file), file.id);
    let mut command = Command::get("get_file", who, format!("/v1/files/{id}"));
    if has_seen {
        command = command.header("if-none-match", &etag);
    }
    Some(command.does(move |cloud: &mut Cloud, _| match cloud.read(who, &id) {
        Ok(file) if has_seen && file.etag() == etag => Expected::success(json!("*")).with_status(304),
        Ok(_) => Expected::success(cloud.file_answer(who, &id)),
        Err(refused) => Err(refused).into(),
    }))
}

pub fn details(turn: &mut Turn<'_>) -> Made {
    let (who, file) = (turn.anyone(), turn.file()?);
    Some(details_of(who, file.id))
}

pub fn details_of(who: &'static str, id: String) -> Command<Cloud> {
    let command = Command::get("get_file_details", who, format!("/v1/files/{id}/details"));
    command.tool("get_file", json!({"file_id": id})).does(move |cloud: &mut Cloud, _| {
        let file = cloud.read(who, &id)?;
        let comments = cloud.comments.iter().filter(|comment| comment.file == id && !comment.is_resolved).count();
        let plans = cloud.plans.iter().filter(|plan| plan.file == id && plan.is_open()).count();
        let mut path = Vec::new();
        for folder in cloud.above(&id).into_iter().rev() {
            path.push(json!({"id": folder.id, "name": folder.name}));
            // It ends at a trashed folder, which hides what is below it.
            if folder.is_trashed {
                break;
            }
        }
        let mut details = json!({"open_comments": comments, "open_plans": plans, "protected": file.protected});
        // A limited agent sees the path only from its own folders on.
        if who != "limited" {
            details["path"] = json!(path);
        }
        let mut answer = cloud.file_answer(who, &id);
        answer["details"] = details;
        Ok::<_, Refused>(answer)
    })
}

/// The current content of a file of this type, which is not found at the URL of another type.
pub fn content(turn: &mut Turn<'_>, operation: &'static str, kind: Kind) -> Made {
    let who = turn.anyone();
    let of_kind = turn.cloud.files.iter().filter(|file| file.kind == kind);
    let file = match turn.dice.percent(90) {
        true => turn.dice.pick(of_kind, |file| &file.id)?.clone(),
        false => turn.file()?,
    };
    Some(content_of(who, operation, kind, file.id))
}

pub fn content_of(who: &'static str, operation: &'static str, kind: Kind, id: String) -> Command<Cloud> {
    let command = Command::get(operation, who, format!("/v1/{}/{id}", kind.collection()));
    command.tool("read_file", json!({"file_id": id})).does(move |cloud: &mut Cloud, seen| {
        let file = cloud.read(who, &id)?;
        if seen.way == Way::Mcp {
            return Ok(cloud.shown(who, file));
        }
        if file.kind != kind {
            return Err(vec!["not_found"]);
        }
        let content = file.content().pattern(kind);
        let mut answer = cloud.file_answer(who, &id);
        answer["content"] = content;
        Ok(answer)
    })
}

pub fn version(turn: &mut Turn<'_>) -> Made {
    let (who, file) = (turn.anyone(), turn.file()?);
    let version = turn.dice.pick(&file.versions, |version| &version.id)?.id.clone();
    Some(version_of(who, file.id, version))
}

/// One version: its content never changes.
pub fn version_of(who: &'static str, id: String, version: String) -> Command<Cloud> {
    Command::get("get_version", who, format!("/v1/files/{id}/versions/{version}")).does(move |cloud: &mut Cloud, _| {
        let file = cloud.read(who, &id)?;
        let found = file.versions.iter().find(|own| own.id == version).ok_or_else(|| vec!["not_found"])?;
        let record = json!({
            "id": version, "file_id": id, "actor": {"id": found.by}, "plan_id": found.plan,
            "restored_from": found.restored_from,
        });
        Ok::<_, Refused>(match &found.content {
            Content::Bytes(bytes) => {
                let mut record = record;
                record["bytes"] = json!(bytes.len());
                json!({"version": record})
            }
            content => json!({"version": record, "content": content.pattern(file.kind)}),
        })
    })
}

pub fn versions(turn: &mut Turn<'_>) -> Made {
    let (who, file) = (turn.anyone(), turn.file()?);
    Some(versions_of(who, file.id))
}

pub fn versions_of(who: &'static str, id: String) -> Command<Cloud> {
    let command = Command::get("list_versions", who, format!("/v1/files/{id}/versions?limit=100"));
    command.tool("list_versions", json!({"file_id": id})).does(move |cloud: &mut Cloud, seen| {
        let newest = cloud.read(who, &id)?.versions.iter().rev().take(page(seen.way));
        let items =
            newest.map(|version| json!({"id": version.id, "actor": {"id": version.by}, "plan_id": version.plan}));
        Ok::<_, Refused>(json!({"items": items.collect::<Vec<_>>()}))
    })
}

/// A version compared with itself.
pub fn compare(turn: &mut Turn<'_>) -> Made {
    let (who, file) = (turn.anyone(), turn.file()?);
    let version = turn.dice.pick(&file.versions, |version| &version.id)?.id.clone();
    let id = file.id;
    let path = format!("/v1/files/{id}/versions/{version}/compare?with={version}");
    let arguments = json!({"file_id": id, "version_id": version, "with": version});
    let command = Command::get("compare_versions", who, path).tool("compare_versions", arguments);
    Some(command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.read(who, &id)?;
        if !file.is_native() {
            return Err(vec!["invalid_field", "not_found"]);
        }
        Ok(json!({"changes": []}))
    }))
}

/// Authors of blocks, or of whatever parts there are.
pub fn authorship(turn: &mut Turn<'_>) -> Made {
    let (who, file) = (turn.anyone(), turn.file()?);
    let id = file.id;
    let command = Command::get("get_authorship", who, format!("/v1/files/{id}/authorship"));
    Some(command.tool("who_wrote", json!({"file_id": id})).does(move |cloud: &mut Cloud, _| {
        let file = cloud.read(who, &id)?;
        if !file.is_native() {
            return Err(vec!["invalid_field", "not_found"]);
        }
        Ok(json!({"version_id": file.version().map(|version| &version.id)}))
    }))
}

pub fn sheet(turn: &mut Turn<'_>, operation: &'static str, query: &'static str) -> Made {
    let who = turn.anyone();
    let sheets = turn.cloud.files.iter().filter(|file| file.kind == Kind::Spreadsheet);
    let id = turn.dice.pick(sheets, |file| &file.id)?.id.clone();
    Some(Command::get(operation, who, format!("/v1/spreadsheets/{id}/{query}")).does(move |cloud: &mut Cloud, _| {
        let file = cloud.read(who, &id)?;
        let texts: Vec<_> = file.content().parts().iter().map(|(_, text)| text.clone()).collect();
        Ok::<_, Refused>(match operation {
            _ if texts.is_empty() => json!("*"),
            "list_sheets" => json!({"sheets": [{"name": "Sheet1", "rows": texts.len(), "columns": 1}]}),
            "get_range" => json!({"range": {"rows": [[{"cell": "A1", "value": texts[0]}]]}}),
            _ => json!(texts.iter().map(|text| format!("{text}\r\n")).collect::<String>()),
        })
    }))
}

impl Cloud {
    fn records<'a>(&self, who: &str, files: impl Iterator<Item = &'a File>) -> Value {
        files.map(|file| self.file_record(who, file)).collect()
    }

    /// What a tool shows of any file.
    fn shown(&self, who: &str, file: &File) -> Value {
        let mut shown = self.file_answer(who, &file.id);
        match (file.kind, file.content_if_any()) {
            (Kind::Folder, _) | (_, None | Some(Content::Unknown(_))) => {}
            (_, Some(Content::Bytes(bytes))) => shown["text"] = json!(String::from_utf8_lossy(bytes)),
            (Kind::Spreadsheet, Some(Content::Parts(cells))) => {
                let row = |(cell, text): &(String, String)| json!([{"cell": cell, "value": text}]);
                shown["sheets"] = json!([{"name": "Sheet1", "rows": cells.len(), "columns": 1}]);
                shown["ranges"] = json!([{"rows": cells.iter().map(row).collect::<Vec<_>>()}]);
            }
            (kind, Some(content)) => shown["content"] = content.pattern(kind),
        }
        shown
    }

    /// The pattern of what a search for the text of comments has found; none if it has found a file without such a
    /// comment or one that is hidden, or has missed one.
    fn found(&self, who: &str, text: &str, seen: Seen<'_>) -> Option<Vec<Value>> {
        let commented = |is_on: fn(&str, &str) -> bool| {
            let has = move |file: &&File| {
                let mut on = self.comments.iter().filter(|comment| comment.file == file.id);
                let has_comment = on.any(|comment| is_on(comment.text.trim_start_matches('@'), text));
                has_comment && !file.is_trashed && self.sees(who, &file.id)
            };
            self.files.iter().filter(has).map(|file| file.id.as_str()).collect::<Vec<_>>()
        };
        // A longer number begins with a shorter one.
        let (may, must) = (commented(|own, text| own.contains(text)), commented(|own, text| own == text));
        let items = seen.answer.and_then(|answer| answer["items"].as_array()).map_or(&[][..], Vec::as_slice);
        let ids: Vec<&Value> = items.iter().map(|item| &item["file"]["id"]).collect();
        let patterns = seen.in_any_order(&ids, &may)?;
        let has_more = seen.answer.is_some_and(|answer| answer["has_more"] == true);
        let is_listed = |id: &&str| patterns.contains(&json!(id)) || !seen.bound.contains_key(*id);
        let is_complete = has_more || must.iter().all(is_listed) && patterns.len() >= must.len();
        is_complete.then(|| patterns.into_iter().map(|id| json!({"file": {"id": id}})).collect())
    }
}

/// The files of a folder, of the top, or of the workspace, newest first.
pub fn list(turn: &mut Turn<'_>) -> Made {
    let who = turn.anyone();
    let folder = turn.parent();
    let (is_anywhere, is_trashed) = (turn.dice.percent(40), turn.dice.percent(30));
    let place = match (&folder, is_anywhere) {
        (_, true) => String::new(),
        (Some(folder), _) => format!("&parent_id={folder}"),
        (None, _) => "&parent_id=root".to_owned(),
    };
    let state = if is_trashed { "&state=trashed" } else { "" };
    let mut arguments = json!({"state": if is_trashed { "trashed" } else { "active" }});
    if !is_anywhere {
        arguments["parent_id"] = json!(folder.as_deref().unwrap_or("root"));
    }
    let command = Command::get("list_files", who, format!("/v1/files?limit=100{place}{state}"));
    Some(command.tool("list_folder", arguments).does(move |cloud: &mut Cloud, seen| {
        if let Some(folder) = folder.as_ref().filter(|_| !is_anywhere)
            && cloud.read(who, folder)?.kind != Kind::Folder
        {
            return Err(vec!["not_found"]);
        }
        let roots = cloud.limits.folders.as_ref().filter(|_| who == "limited");
        let is_there = |file: &&File| {
            let is_at_top = match roots {
                Some(roots) => roots.contains(&file.id),
                None => file.parent.is_none(),
            };
            let is_placed = match &folder {
                _ if is_anywhere => true,
                Some(folder) => file.parent.as_ref() == Some(folder),
                None => is_at_top,
            };
            is_placed && file.is_trashed == is_trashed && cloud.is_within(who, &file.id)
        };
        let listed = cloud.files.iter().rev().filter(is_there);
        let listed = listed.filter(|file| cloud.is_reachable(&file.id)).take(page(seen.way));
        Ok(json!({"items": cloud.records(who, listed)}))
    }))
}

pub fn search(turn: &mut Turn<'_>) -> Made {
    let who = turn.anyone();
    let term = turn.dice.of_these(&["file", "renamed", "COPY", "twice", "draft", "upload", "import", "1"]);
    let command = Command::get("search_files", who, format!("/v1/search?name_contains={term}&limit=100"));
    Some(command.tool("search_files", json!({"name_contains": term})).does(move |cloud: &mut Cloud, seen| {
        let term = term.to_lowercase();
        let is_found =
            |file: &&File| !file.is_trashed && cloud.sees(who, &file.id) && file.name.to_lowercase().contains(&term);
        let found = cloud.files.iter().rev().filter(is_found).take(page(seen.way));
        Ok::<_, Refused>(json!({"items": cloud.records(who, found)}))
    }))
}

/// By the text of a comment. A search is exact, so it finds each file that has such a comment.
pub fn search_content(turn: &mut Turn<'_>) -> Made {
    let who = turn.anyone();
    let comment = turn.dice.pick(&turn.cloud.comments, |comment| &comment.id)?;
    let text = comment.text.trim_start_matches('@').to_owned();
    let path = format!("/v1/content-search?text=%22{}%22&limit=100", text.replace(' ', "%20"));
    let arguments = json!({"text": format!("\"{text}\""), "limit": 100});
    let command = Command::get("search_content", who, path).tool("search_content", arguments);
    Some(command.does(move |cloud: &mut Cloud, seen| {
        let found = cloud.found(who, &text, seen).ok_or_else(|| vec!["other files"])?;
        Ok::<_, Refused>(json!({"items": found}))
    }))
}

pub fn download(turn: &mut Turn<'_>) -> Made {
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    let id = turn.uploaded()?.id;
    let mut command = Command::new("create_download_grant", who, "POST", format!("/v1/files/{id}/download-grants"));
    command.body = Some(json!({}));
    Some(command.tool("download_link", json!({"file_id": id})).does(move |cloud: &mut Cloud, _| {
        let file = cloud.read(who, &id)?;
        if file.kind == Kind::Folder {
            return Err(vec!["invalid_field", "not_found"]);
        }
        if let Content::Bytes(bytes) = file.content() {
            let bytes = bytes.clone();
            cloud.links.push((format!("$xlink{n}"), id.clone(), bytes.clone()));
            return Ok(json!({"download": {"url": format!("$xlink{n}"), "bytes": bytes.len()}}));
        }
        Ok(json!({"download": {"method": "GET"}}))
    }))
}

/// Without a token; as long as the file is there.
pub fn fetch(turn: &mut Turn<'_>) -> Made {
    let (link, id, bytes) = turn.dice.pick(&turn.cloud.links, |(link, _, _)| link)?.clone();
    Some(Command::get("download_file", "ada", link).does(move |cloud: &mut Cloud, _| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match cloud.get(&id) {
            None => Expected::refused("grant_invalid"),
            // A link of an agent ends where its limits do.
            Some(_) => Expected::success(json!(text)).or_refused("grant_invalid"),
        }
    }))
}
