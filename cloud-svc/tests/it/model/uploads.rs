//! Uploads of one chunk, which belong to a grant.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use shared_testing::histories::{Command, Expected};

use super::{
    Cloud, Turn,
    actors::{Refused, Scope, actor},
    contents::Content,
    files::{NewFile, unless},
    tree::{Kind, Version},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    pub id: String,
    pub who: &'static str,
    pub name: String,
    pub bytes: Vec<u8>,
    pub parent: Option<String>,
    /// The file that gets a version, and its etag at the beginning.
    pub target: Option<(String, String)>,
    pub is_received: bool,
    pub state: &'static str,
    pub file: Option<(String, String)>,
}

impl Upload {
    fn record(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "size": self.bytes.len(), "state": self.state, "sha256": sha256(&self.bytes),
            "next_chunk_index": usize::from(self.is_received), "chunk_count": 1,
            "file_id": self.file.as_ref().map(|file| &file.0), "version_id": self.file.as_ref().map(|file| &file.1),
        })
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes))
}

impl Cloud {
    fn upload(&self, who: &str, id: &str) -> Result<&Upload, Refused> {
        self.uploads.iter().find(|upload| upload.id == id && upload.who == who).ok_or_else(|| vec!["not_found"])
    }

    fn own_upload(&mut self, who: &str, id: &str) -> Result<&mut Upload, Refused> {
        self.upload(who, id)?;
        Ok(self.uploads.iter_mut().find(|upload| upload.id == id).expect("an upload"))
    }

    /// What pending uploads reserve.
    pub fn reserved(&self) -> usize {
        self.uploads.iter().filter(|upload| upload.state == "pending").map(|upload| upload.bytes.len()).sum()
    }
}

fn any(turn: &mut Turn<'_>) -> Option<(&'static str, Upload)> {
    let other = turn.member();
    let pending = turn.cloud.uploads.iter().filter(|upload| upload.state == "pending");
    let upload = match turn.dice.percent(70) {
        true => turn.dice.pick(pending, |upload| &upload.id)?,
        false => turn.dice.pick(&turn.cloud.uploads, |upload| &upload.id)?,
    };
    Some((if turn.dice.percent(85) { upload.who } else { other }, upload.clone()))
}

pub fn begin(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.member(), turn.n.to_owned());
    let uploaded = turn.cloud.files.iter().filter(|file| file.kind == Kind::Upload);
    let target = if turn.dice.percent(35) { turn.dice.pick(uploaded, |file| &file.id).cloned() } else { None };
    let target = target.map(|file| (turn.etag_of(&file), file.id));
    let parent = if target.is_none() { turn.parent() } else { None };
    let (name, bytes) = (format!("Upload {n}.txt"), format!("Bytes of {n}.").into_bytes());
    let mut body = json!({"name": name, "mime": "text/plain", "size": bytes.len(), "sha256": sha256(&bytes)});
    if let Some((_, id)) = &target {
        body["file_id"] = json!(id);
    }
    if let Some(parent) = &parent {
        body["parent_id"] = json!(parent);
    }
    let command = Command::post("create_upload", who, "/v1/uploads", body);
    let command = match &target {
        Some((etag, _)) => command.if_match(etag),
        None => {
            let (size, sha256, parent) = (bytes.len().to_string(), sha256(&bytes), parent.clone().unwrap_or_default());
            let fields =
                [("in", &*parent), ("name", &name), ("mime", "text/plain"), ("size", &size), ("sha256", &sha256)];
            command.form("/w/uploads".to_owned(), &fields)
        }
    };
    Some(command.does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Write)?;
        match &target {
            Some((etag, id)) => {
                let file = cloud.read(who, id)?;
                let mut refusals = cloud.file_refusals(who, file, etag, false);
                if cloud.needs_approval(who) {
                    refusals.push("approval_required");
                }
                unless(refusals)?;
            }
            None => unless(cloud.place_refusals(who, parent.as_deref(), None))?,
        }
        let id = format!("$upl{n}");
        cloud.uploads.push(Upload {
            id: id.clone(),
            who,
            name: name.clone(),
            bytes: bytes.clone(),
            parent: parent.clone(),
            target: target.clone().map(|(etag, id)| (id, etag)),
            is_received: false,
            state: "pending",
            file: None,
        });
        Ok(json!({"upload": cloud.upload(who, &id)?.record()}))
    }))
}

/// Begins an upload, sends its chunk and completes it.
pub fn small(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    // The limits of an agent may stop it between the steps, and then nobody knows the upload.
    let who = Some(turn.member()).filter(|who| *who != "limited")?;
    let (parent, n) = (turn.parent(), turn.n.to_owned());
    let (name, bytes) = (format!("Upload {n}.txt"), format!("Bytes of {n}.").into_bytes());
    let mut arguments = json!({"name": name, "mime": "text/plain", "content_base64": BASE64_STANDARD.encode(&bytes)});
    if let Some(parent) = &parent {
        arguments["parent_id"] = json!(parent);
    }
    // Without a key: it would belong to two commands.
    let command = Command::new("create_upload", who, "POST", "/v1/uploads".to_owned());
    Some(command.only_tool("upload_small_file", arguments).certain().does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Write)?;
        unless(cloud.add_refusals(who, Kind::Upload, parent.as_deref(), None))?;
        let (id, name, parent, bytes) = (format!("$upl{n}"), name.clone(), parent.clone(), bytes.clone());
        let new = NewFile {
            kind: Kind::Upload,
            name: name.clone(),
            parent: parent.clone(),
            content: Some(Content::Bytes(bytes.clone())),
            change: "upload.completed",
        };
        let file = cloud.add(who, &n, new)["file"].clone();
        cloud.uploads.push(Upload {
            id: id.clone(),
            who,
            name,
            bytes,
            parent,
            target: None,
            is_received: true,
            state: "completed",
            file: Some((format!("$file{n}"), format!("$ver{n}"))),
        });
        Ok(json!({"upload": cloud.upload(who, &id)?.record(), "file": file}))
    }))
}

pub fn put_chunk(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, upload) = any(turn)?;
    let id = upload.id;
    let mut command = Command::new("put_chunk", who, "PUT", format!("/v1/uploads/{id}/chunks/0"));
    command.bytes = Some(upload.bytes);
    let command = command.form_of_file(format!("/w/uploads/{id}"), &[("index", "0")], "part");
    Some(command.does(move |cloud: &mut Cloud, _| {
        if let Err(refused) = cloud.may(who, Scope::Write) {
            return Err(refused).into();
        }
        let upload = match cloud.own_upload(who, &id) {
            Ok(upload) => upload,
            Err(refused) => return Err(refused).into(),
        };
        match (upload.state, upload.is_received) {
            ("pending", _) => {
                upload.is_received = true;
                Expected::success(json!({"upload": upload.record()}))
            }
            // The same bytes again are not a mistake.
            (_, true) => Expected::success(json!({"upload": upload.record()})).or_refused("upload_state"),
            _ => Expected::refused("upload_state"),
        }
    }))
}

pub fn complete(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let ((who, upload), n) = (any(turn)?, turn.n.to_owned());
    let id = upload.id;
    let command = Command::post("complete_upload", who, format!("/v1/uploads/{id}/complete"), json!({}));
    let command = command.form(format!("/w/uploads/{id}/complete"), &[]);
    Some(command.does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Write)?;
        let upload = cloud.upload(who, &id)?.clone();
        if let (Some((file, _)), "completed") = (&upload.file, upload.state) {
            let file = cloud.get(file).filter(|file| cloud.sees(who, &file.id));
            return Ok(json!({"upload": upload.record(), "file": file.map(|file| cloud.file_record(who, file))}));
        }
        if upload.state != "pending" || !upload.is_received {
            return Err(vec!["upload_state"]);
        }
        let (version, content) = (format!("$ver{n}"), Content::Bytes(upload.bytes.clone()));
        let file = match &upload.target {
            Some((target, etag)) => {
                let file = cloud.read(who, target)?;
                let mut refusals = cloud.file_refusals(who, file, etag, false);
                refusals.retain(|refusal| *refusal != "agent_limited");
                if cloud.needs_approval(who) {
                    refusals.push("approval_required");
                }
                unless(refusals)?;
                let (by, id) = (actor(who).to_owned(), version.clone());
                let next = Version { id, content, by, plan: None, restored_from: None };
                cloud.add_version(who, target, &n, next, "upload.completed");
                target.clone()
            }
            None => {
                unless(cloud.add_refusals(who, Kind::Upload, upload.parent.as_deref(), None))?;
                let (name, parent) = (upload.name.clone(), upload.parent.clone());
                let content = Some(content);
                cloud.add(who, &n, NewFile { kind: Kind::Upload, name, parent, content, change: "upload.completed" });
                format!("$file{n}")
            }
        };
        let upload = cloud.own_upload(who, &id)?;
        (upload.state, upload.file) = ("completed", Some((file.clone(), version)));
        let upload = upload.record();
        Ok(json!({"upload": upload, "file": cloud.file_answer(who, &file)["file"]}))
    }))
}

pub fn cancel(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, upload) = any(turn)?;
    Some(cancelled(who, upload.id))
}

pub fn cancelled(who: &'static str, id: String) -> Command<Cloud> {
    Command::post("cancel_upload", who, format!("/v1/uploads/{id}/cancel"), json!({})).does(
        move |cloud: &mut Cloud, _| {
            cloud.may(who, Scope::Write)?;
            let upload = cloud.own_upload(who, &id)?;
            if upload.state == "completed" {
                return Err(vec!["upload_state"]);
            }
            upload.state = "cancelled";
            Ok(json!({"upload": upload.record()}))
        },
    )
}

pub fn get(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, upload) = any(turn)?;
    let id = upload.id;
    Some(
        Command::get("get_upload", who, format!("/v1/uploads/{id}"))
            .does(move |cloud: &mut Cloud, _| Ok::<_, Refused>(json!({"upload": cloud.upload(who, &id)?.record()}))),
    )
}

pub fn convert(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, file, n) = (turn.anyone(), turn.uploaded()?, turn.n.to_owned());
    let (id, name) = (file.id, format!("Converted {n}"));
    let command = Command::post("convert_file", who, format!("/v1/files/{id}/convert"), json!({"name": name}))
        .tool("copy_file", json!({"file_id": id, "name": name, "convert": true}));
    Some(command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Write, &id)?;
        let (is_uploaded, parent) = (file.kind == Kind::Upload && file.name.ends_with(".txt"), file.parent.clone());
        let mut refusals = cloud.add_refusals(who, Kind::Note, parent.as_deref(), None);
        if !is_uploaded {
            refusals.push("invalid_field");
        }
        if file.is_trashed {
            refusals.push("file_trashed");
        }
        unless(refusals)?;
        let (name, content) = (name.clone(), Some(Content::Unknown(format!("$xcontent{n}"))));
        Ok(cloud.add(who, &n, NewFile { kind: Kind::Note, name, parent, content, change: "file.created" }))
    }))
}
