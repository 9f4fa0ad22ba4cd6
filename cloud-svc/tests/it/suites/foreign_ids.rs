//! The id of something in another workspace, in a body or a query. It answers as an id that nothing has, and changes
//! nothing.

use std::{collections::BTreeSet, time::Duration};

use cloud_content::kinds;
use serde_json::{Value, json};
use shared_runtime::http::{contract::Contract, openapi};
use shared_testing::{
    Caller, Request, Response, Stage, Text as _,
    database::{changed, dump},
};

use super::{create, lasting, stage};
use crate::{agents, samples, uploads};

/// A member of a body (`/folders/0`) or a query parameter (`?with`) that names another thing than the URL.
struct Place {
    operation: &'static str,
    at: &'static str,
    /// The id of something in another workspace, and the id with which the request succeeds.
    foreign: String,
    own: String,
    path: String,
    body: Value,
    etag: Option<String>,
}

impl Place {
    fn in_query(
        operation: &'static str,
        at: &'static str,
        (foreign, own): (&str, &str),
        path: impl Into<String>,
    ) -> Self {
        let (foreign, own) = (foreign.to_owned(), own.to_owned());
        Self { operation, at, foreign, own, path: path.into(), body: Value::Null, etag: None }
    }

    /// The body has any value in the place.
    fn in_body(
        operation: &'static str,
        at: &'static str,
        ids: (&str, &str),
        path: impl Into<String>,
        body: Value,
    ) -> Self {
        Self { body, ..Self::in_query(operation, at, ids, path) }
    }

    fn if_match(self, etag: String) -> Self {
        Self { etag: Some(etag), ..self }
    }

    fn request(&self, who: &Caller, operation: &Contract, id: &str) -> Request {
        let (mut path, mut body) = (self.path.clone(), self.body.clone());
        match self.at.strip_prefix('?') {
            Some(name) => path = format!("{path}{}{name}={id}", if path.contains('?') { '&' } else { '?' }),
            None => *body.pointer_mut(self.at).expect("the body has the member") = json!(id),
        }
        let mut request = who.request(operation.method.as_str(), path);
        if operation.takes_key {
            request = request.fresh_key();
        }
        if let Some(etag) = &self.etag {
            request = request.header("if-match", etag);
        }
        if body.is_null() { request } else { request.json(body) }
    }
}

/// What a workspace has.
struct Things {
    folder: String,
    document: String,
    version: String,
    comment: String,
    plan: String,
    note: String,
    upload: String,
    /// A Word file of the plan.
    word: String,
    /// A plan that was applied, and its file.
    applied: (String, String),
    webhook: String,
    event: String,
}

impl Things {
    async fn of(stage: &Stage, who: &Caller, number: u32) -> Self {
        let folder = samples::folder(who, "Room", None).await;
        let created = samples::create(who, "Plan").await;
        let (document, version) = (samples::id(&created), created["file"]["current_version_id"].text().to_owned());
        let comment = samples::comment(who, &document, "Is that so?").await["id"].text().to_owned();
        let plan = samples::plan(who, &document, "More.").await["id"].text().to_owned();
        let word = who.get(format!("/v1/documents/{document}/edit-plans/{plan}/word")).await.status(200);
        let word = samples::id(&uploads::uploaded(who, word.bytes()).await);
        let note = samples::id(&create(who, "notes").await.status(200));
        let upload = samples::id(&uploads::uploaded(who, b"x").await);
        let (file, applied) = planned(who).await;
        samples::apply(who, &applied).await.await.status(200);
        let applied = (file, applied["id"].text().to_owned());
        let (webhook, event) = sent_event(stage, who, number).await;
        Self { folder, document, version, comment, plan, note, upload, word, applied, webhook, event }
    }
}

/// A webhook, and an event that it was sent.
async fn sent_event(stage: &Stage, who: &Caller, number: u32) -> (String, String) {
    let body = json!({"url": "https://hooks.example.com/", "events": ["*"]});
    let made = who.post("/v1/webhooks").fresh_key().json(body).await.status(200);
    let (webhook, event) = (made["webhook"]["id"].text().to_owned(), format!("evt_{number:032x}"));
    // The endpoint does not exist: nothing calls it here.
    let answered = format!("UPDATE webhooks SET state = 'active', challenge = NULL WHERE id = '{webhook}'");
    samples::sql(stage, &answered).await;
    let delivered = format!(
        "INSERT INTO webhook_deliveries
            (webhook_id, event_id, type, sequence, body, state, attempts, last_error, created_at, finished_at)
         VALUES ('{webhook}', '{event}', 'file.created', 1, '{{}}', 'delivered', 1, '', 0, 0)"
    );
    samples::sql(stage, &delivered).await;
    (webhook, event)
}

/// A new document, and a plan for it.
async fn planned(who: &Caller) -> (String, Value) {
    let file = samples::id(&samples::create(who, "Plan").await);
    let plan = samples::plan(who, &file, "More.").await;
    (file, plan)
}

async fn places(stage: &Stage, (ada, own): (&Caller, &Things), (bob, theirs): (&Caller, &Things)) -> Vec<Place> {
    let mut places = in_folders(stage, ada, (&theirs.folder, &own.folder)).await;
    for kind in kinds::ALL {
        let [own, theirs] = [create(ada, kind.collection).await, create(bob, kind.collection).await];
        let version = |created: &Response| created["file"]["current_version_id"].text().to_owned();
        let path = kind.read.path.replace("{file_id}", &samples::id(&own));
        places.push(Place::in_query(kind.read.id, "?version_id", (&version(&theirs), &version(&own)), path));
    }
    places.extend(of_files(ada, own, theirs).await);
    places.extend(of_plans(ada, own, theirs).await);
    places
}

/// Where things are looked for or put.
async fn in_folders(stage: &Stage, ada: &Caller, folders: (&str, &str)) -> Vec<Place> {
    const AT: &str = "/parent_id";
    let robot = agents::agent(stage, "robot", 1).await;
    let limits = format!("/v1/agents/{}/limits", robot.claim_text("grant_id"));
    let named = json!({"name": "Plan", "parent_id": ""});
    let text = json!({"name": "Plan", "format": "text", "text": "Dig.", "parent_id": ""});
    let only = json!({"parent_id": ""});
    let mut claim = uploads::claim(b"x");
    claim["parent_id"] = json!("");
    let mut places = vec![
        Place::in_body("set_agent_limits", "/folders/0", folders, limits, json!({"folders": [""], "may": "propose"})),
        Place::in_query("list_files", "?parent_id", folders, "/v1/files"),
        Place::in_query("search_files", "?parent_id", folders, "/v1/search?name_contains=pl"),
        Place::in_query("search_content", "?parent_id", folders, "/v1/content-search?text=plan"),
        Place::in_body("create_folder", AT, folders, "/v1/folders", named.clone()),
        Place::in_body("import_text", AT, folders, "/v1/imports", text),
        Place::in_body("create_upload", AT, folders, "/v1/uploads", claim),
    ];
    for kind in kinds::ALL {
        let path = format!("/v1/{}", kind.collection);
        places.push(Place::in_body(kind.create.id, AT, folders, path, named.clone()));
    }
    for (operation, verb) in [("move_file", "move"), ("copy_file", "copy"), ("restore_file", "restore")] {
        let file = samples::id(&samples::create(ada, "Plan").await);
        if verb == "restore" {
            samples::command(ada, &file, "trash", json!({})).await.await.status(200);
        }
        let place = Place::in_body(operation, AT, folders, format!("/v1/files/{file}/{verb}"), only.clone());
        places.push(if verb == "copy" { place } else { place.if_match(samples::etag(ada, &file).await) });
    }
    let text = uploads::named(ada, "Note.txt", b"x").await;
    places.push(Place::in_body("convert_file", AT, folders, format!("/v1/files/{text}/convert"), only.clone()));
    let upload = uploads::begun(ada, b"x").await;
    uploads::sent(ada, &upload, b"x").await;
    places.push(Place::in_body("complete_upload", AT, folders, format!("/v1/uploads/{upload}/complete"), only.clone()));
    places.push(Place::in_body("promote_scratch", AT, folders, promotion(ada).await, only));
    places
}

/// The path to promote a new draft.
async fn promotion(who: &Caller) -> String {
    let note = json!({"name": "Plan", "type": "note", "content": {"title": "Plan", "content": "More."}});
    let draft = who.post("/v1/scratch").fresh_key().json(note).await.status(200);
    format!("/v1/scratch/{}/promote", draft["draft"]["id"].text())
}

async fn of_files(ada: &Caller, own: &Things, theirs: &Things) -> Vec<Place> {
    let of_document = |rest: &str| format!("/v1/files/{}/{rest}", own.document);
    let compare = of_document(&format!("versions/{}/compare", own.version));
    let versions = (theirs.version.as_str(), own.version.as_str());
    let comments = (theirs.comment.as_str(), own.comment.as_str());
    let block = json!({"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "No."}]}});
    let reply = json!({"text": "It is.", "parent_comment_id": ""});
    let answer = json!({"operations": [block], "answers_comment_id": ""});
    let mut claim = uploads::claim(b"y");
    claim["file_id"] = json!("");
    let grant = json!({"version_id": ""});
    let replay = format!("/v1/webhooks/{}/replay", own.webhook);
    vec![
        Place::in_query("get_authorship", "?version", versions, of_document("authorship")),
        Place::in_query("compare_versions", "?with", versions, compare),
        Place::in_body("create_download_grant", "/version_id", versions, of_document("download-grants"), grant),
        Place::in_body("create_comment", "/parent_comment_id", comments, of_document("comments"), reply),
        Place::in_body("propose_file_edit", "/answers_comment_id", comments, of_document("edit-plans"), answer)
            .if_match(samples::etag(ada, &own.document).await),
        Place::in_body("create_upload", "/file_id", (&theirs.upload, &own.upload), "/v1/uploads", claim)
            .if_match(samples::etag(ada, &own.upload).await),
        Place::in_body(
            "promote_scratch",
            "/file_id",
            (&theirs.note, &own.note),
            promotion(ada).await,
            json!({"file_id": ""}),
        )
        .if_match(samples::etag(ada, &own.note).await),
        Place::in_body(
            "replay_webhook",
            "/event_ids/0",
            (&theirs.event, &own.event),
            replay,
            json!({"event_ids": [""]}),
        ),
    ]
}

async fn of_plans(ada: &Caller, own: &Things, theirs: &Things) -> Vec<Place> {
    let of_plan =
        |collection: &str, rest: &str| format!("/v1/{collection}/{}/edit-plans/{}/{rest}", own.document, own.plan);
    let mut plans = Vec::new();
    for _ in 0..7 {
        let (file, plan) = planned(ada).await;
        plans.push((file, plan["id"].text().to_owned()));
    }
    let [first, second, third, fourth, fifth, sixth, seventh] = plans.as_slice() else { panic!("seven plans") };
    let of = |(file, plan): &(String, String)| json!({"file_id": file, "plan_id": plan});
    let together = |plans: Vec<Value>| json!({"title": "Both", "plans": plans});
    let mut proposals = Vec::new();
    for body in [together(vec![of(third)]), together(vec![of(sixth), of(seventh)])] {
        let made = ada.post("/v1/proposals").fresh_key().json(body).await.status(200);
        proposals.push(format!("/v1/proposals/{}/plans", made["proposal"]["id"].text()));
    }
    let [alone, both] = proposals.as_slice() else { panic!("two proposals") };
    let adding = |plan| json!({"add": [of(plan)]});
    let (of_other, plan) = (&theirs.document, &theirs.plan);
    vec![
        Place::in_query("compare_edit_plans", "?with", (plan, &own.plan), of_plan("files", "compare")),
        Place::in_query(
            "read_word_choices",
            "?word_file_id",
            (&theirs.word, &own.word),
            of_plan("documents", "word-choices"),
        ),
        Place::in_query("list_receipts", "?file_id", (&theirs.applied.0, &own.applied.0), "/v1/receipts"),
        Place::in_query("list_receipts", "?plan_id", (&theirs.applied.1, &own.applied.1), "/v1/receipts"),
        Place::in_body(
            "create_proposal",
            "/plans/0/file_id",
            (of_other, &first.0),
            "/v1/proposals",
            together(vec![of(first)]),
        ),
        Place::in_body(
            "create_proposal",
            "/plans/0/plan_id",
            (plan, &second.1),
            "/v1/proposals",
            together(vec![of(second)]),
        ),
        Place::in_body("change_proposal", "/add/0/file_id", (of_other, &fourth.0), alone, adding(fourth)),
        Place::in_body("change_proposal", "/add/0/plan_id", (plan, &fifth.1), alone, adding(fifth)),
        Place::in_body("change_proposal", "/remove/0", (plan, &sixth.1), both, json!({"remove": [""]})),
    ]
}

#[shared_testing::test]
async fn an_id_of_another_workspace_answers_as_one_that_nothing_has() {
    let stage = stage().await;
    let (ada, bob) = (lasting(&stage, "ada"), lasting(&stage, "bob").workspace(2));
    let (own, theirs) = (Things::of(&stage, &ada, 1).await, Things::of(&stage, &bob, 2).await);
    let places = places(&stage, (&ada, &own), (&bob, &theirs)).await;
    let tried: BTreeSet<(String, String)> =
        places.iter().map(|place| (place.operation.to_owned(), place.at.to_owned())).collect();
    let documented = documented(&stage);
    let differing: Vec<_> = tried.symmetric_difference(&documented).collect();
    assert!(differing.is_empty(), "in the document or in the table, and not in both: {differing:?}");
    let (routes, url) = (stage.routes(), &stage.context.settings.database_url);
    for (index, place) in places.iter().enumerate() {
        // So that no rate limit is reached.
        if index % 10 == 0 {
            stage.clock.advance(Duration::from_secs(60));
        }
        let what = format!("{} {}", place.operation, place.at);
        let operation = routes.contracts().find(|contract| contract.id == place.operation).expect("an operation");
        let (before, nothing) = (dump(url, &["grants"]), invented(&place.foreign));
        let foreign = place.request(&ada, operation, &place.foreign).await;
        let missing = place.request(&ada, operation, &nothing).await;
        let changed = changed(&before, &dump(url, &["grants"])).join(", ");
        assert!(changed.is_empty(), "{what} has changed {changed}");
        let told = |answer: &Response, id: &str| (answer.status, answer.redacted().to_string().replace(id, "ID"));
        assert_eq!(told(&foreign, &place.foreign), told(&missing, &nothing), "{what}: foreign is as missing");
        let accepted = place.request(&ada, operation, &place.own).await;
        assert!((200..300).contains(&accepted.status), "{what}: an own one is accepted: {accepted}");
        assert_ne!(told(&accepted, &place.own), told(&missing, &nothing), "{what}: an own one is used");
    }
}

/// An id of the same kind that nothing has.
fn invented(id: &str) -> String {
    let (prefix, rest) = id.split_once('_').expect("an id");
    // Random ids are hexadecimal.
    if rest.len() == 32 { format!("{prefix}_{}", "f".repeat(32)) } else { format!("{prefix}_999999999") }
}

/// The places of the OpenAPI document that take the id of a stored thing, each with its operation.
fn documented(stage: &Stage) -> BTreeSet<(String, String)> {
    let document = openapi::inlined(&stage.service().openapi());
    let mut found = BTreeSet::new();
    let items = document["paths"].as_object().expect("paths").values();
    for operation in items.flat_map(|item| item.as_object().expect("operations").values()) {
        let mut places = BTreeSet::new();
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].text();
            if is_id(name, followed(&document, &parameter["schema"])) {
                places.insert(format!("?{name}"));
            }
        }
        let contents = operation["requestBody"]["content"].as_object().into_iter().flat_map(|types| types.values());
        contents.for_each(|content| ids_in(&document, &content["schema"], "", &mut places));
        found.extend(places.into_iter().map(|at| (operation["operationId"].text().to_owned(), at)));
    }
    found
}

fn ids_in(document: &Value, schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    let schema = followed(document, schema);
    if is_id(at.rsplit('/').next().unwrap_or_default(), schema) {
        found.insert(at.to_owned());
    }
    for one in ["allOf", "anyOf", "oneOf"].iter().flat_map(|which| schema[*which].as_array().into_iter().flatten()) {
        ids_in(document, one, at, found);
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        ids_in(document, member, &format!("{at}/{name}"), found);
    }
    if schema["items"].is_object() {
        ids_in(document, &schema["items"], &format!("{at}/0"), found);
    }
}

/// The schema that a reference names.
fn followed<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).expect("a schema of the document"),
        None => schema,
    }
}

/// Whether a text names something that is stored, such as `file_12`, and not a part of a content.
fn is_id(name: &str, schema: &Value) -> bool {
    let Some(pattern) = schema["pattern"].as_str() else { return name.ends_with("_id") && schema["type"] == "string" };
    let pattern = pattern.trim_start_matches(['^', '(']).trim_start_matches("root|");
    let prefix = pattern.split_once("_[").map(|(prefix, _)| prefix);
    prefix.is_some_and(|prefix| !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_lowercase()))
}
