//! The refusals that lead on, as a table: each is met, its `next_action` is followed, and what was wanted succeeds.

use cloud_svc::{
    base::codes::{
        APPROVAL_REQUIRED, DRAFT_PROMOTED, NOT_COMMENT_AUTHOR, PERSON_REQUIRED, PLAN_STALE, QUOTA_EXCEEDED,
        SCRATCH_FULL, SELF_APPROVAL, WEBHOOK_LIMIT,
    },
    service,
};
use serde_json::{Value, json};
use shared_model::{
    Code,
    code::{ETAG_MISMATCH, IDEMPOTENCY_KEY_REUSED, METHOD_NOT_ALLOWED, NOT_FOUND},
};
use shared_runtime::context::settings::Role;
use shared_testing::{Caller, Request, Response, Stage, Text as _};

use crate::samples;

/// The code, and the type of the action that leads on.
const TABLE: [(&Code, &str); 13] = [
    (&ETAG_MISMATCH, "rebase"),
    (&PLAN_STALE, "rebase"),
    (&NOT_FOUND, "refresh"),
    (&METHOD_NOT_ALLOWED, "use_method"),
    (&IDEMPOTENCY_KEY_REUSED, "new_key"),
    (&APPROVAL_REQUIRED, "request_review"),
    (&SELF_APPROVAL, "other_actor"),
    (&PERSON_REQUIRED, "other_actor"),
    (&NOT_COMMENT_AUTHOR, "other_actor"),
    (&DRAFT_PROMOTED, "refresh"),
    (&SCRATCH_FULL, "refresh"),
    (&WEBHOOK_LIMIT, "refresh"),
    (&QUOTA_EXCEEDED, "refresh"),
];

#[shared_testing::test]
async fn every_refusal_of_the_table_is_followed_to_success() {
    for (code, action) in TABLE {
        // Nothing is sent to the endpoints of webhooks.
        let stage = Stage::of(service()).settings(|settings| settings.role = Role::Api).await;
        let routes = stage.routes();
        let further = routes.contracts().flat_map(|contract| &contract.further_steps);
        let mut steps = further.filter(|(known, _)| *known == code).map(|(_, step)| *step).chain([code.next]);
        assert!(steps.any(|step| step.types().contains(&action)), "the contracts do not say {action} of {}", code.name);
        let scene = Scene { ada: stage.caller("ada"), bob: stage.caller("bob"), stage: &stage, code, action };
        let (refused, succeeded) = scene.walk().await;
        assert_eq!((refused.status, refused["error"]["code"].text()), (code.status, code.name), "{refused}");
        assert_eq!(refused["error"]["next_action"]["type"], action, "{refused}");
        succeeded.status(200);
    }
}

struct Scene<'s> {
    ada: Caller,
    bob: Caller,
    stage: &'s Stage,
    code: &'static Code,
    action: &'static str,
}

impl Scene<'_> {
    /// The refusal, and the answer at the end of the way that it shows.
    async fn walk(&self) -> (Response, Response) {
        match self.code.name {
            "etag_mismatch" => self.stale_apply().await,
            "plan_stale" => self.stale_review().await,
            "not_found" => self.other_type().await,
            "method_not_allowed" => self.other_method().await,
            "idempotency_key_reused" => self.reused_key().await,
            "approval_required" => self.risky_edit().await,
            "self_approval" => self.review_by(&self.ada).await,
            "person_required" => self.review_by(&self.agent()).await,
            "not_comment_author" => self.others_comment().await,
            "draft_promoted" => self.promoted_draft().await,
            "scratch_full" => self.full(50, "/v1/scratch", draft(), "draft", "discard").await,
            "webhook_limit" => self.full(10, "/v1/webhooks", webhook(), "webhook", "revoke").await,
            "quota_exceeded" => self.full_workspace().await,
            other => panic!("nobody walks {other}"),
        }
    }

    fn agent(&self) -> Caller {
        self.stage.caller("agent").claim("actor", json!({"type": "agent", "id": "a", "display_name": "Agent"}))
    }

    /// A command on the link of a refusal.
    fn post(&self, refused: &Response, caller: &Caller) -> Request {
        caller.post(refused.leads_to(self.action)).fresh_key().json(json!({}))
    }

    /// The other actor that a refusal asks for, with no more than the scope that it names.
    fn other_actor(&self, refused: &Response, caller: &Caller) -> Caller {
        caller.clone().scope(refused["error"]["next_action"]["scope"].text())
    }

    async fn document(&self) -> String {
        samples::id(&samples::document_of(&self.ada, &["one"]).await)
    }

    async fn stale_apply(&self) -> (Response, Response) {
        let id = self.document().await;
        let (first, second) = (samples::plan(&self.ada, &id, "a").await, samples::plan(&self.ada, &id, "b").await);
        samples::apply(&self.ada, &first).await.await.status(200);
        let old = second["base_etag"].text();
        let apply = self.ada.post(second["apply_url"].text()).fresh_key().header("if-match", old).json(json!({}));
        let refused = apply.await;
        let etag = samples::etag(&self.ada, &id).await;
        let rebased = self.post(&refused, &self.ada).header("if-match", etag).await.status(200);
        (refused, samples::apply(&self.ada, &rebased["plan"]).await.await)
    }

    async fn stale_review(&self) -> (Response, Response) {
        let id = self.document().await;
        let (first, second) = (samples::plan(&self.ada, &id, "a").await, samples::plan(&self.ada, &id, "b").await);
        samples::step(&self.ada, &second, "request-review", json!({})).await.status(200);
        samples::apply(&self.ada, &first).await.await.status(200);
        let refused = samples::step(&self.bob, &second, "approve", json!({})).await;
        let etag = samples::etag(&self.ada, &id).await;
        let rebased = self.post(&refused, &self.ada).header("if-match", etag).await.status(200);
        assert_eq!(rebased["plan"]["state"], "in_review", "its review goes on");
        (refused, samples::step(&self.bob, &rebased["plan"], "approve", json!({})).await)
    }

    async fn other_type(&self) -> (Response, Response) {
        let id = self.document().await;
        let refused = self.ada.get(format!("/v1/notes/{id}")).await;
        let found = self.ada.get(refused.leads_to(self.action)).await;
        (refused, found)
    }

    async fn other_method(&self) -> (Response, Response) {
        let id = self.document().await;
        let refused = self.ada.request("DELETE", format!("/v1/files/{id}")).await;
        let rule = refused["error"]["next_action"]["problems"][0]["rule"].text().to_owned();
        let path = rule.strip_prefix("must be POST ").and_then(|rule| rule.split(':').next()).expect("an operation");
        let etag = samples::etag(&self.ada, &id).await;
        let command = self.ada.post(path.replace("{file_id}", &id)).fresh_key().header("if-match", etag);
        (refused, command.json(json!({})).await)
    }

    async fn reused_key(&self) -> (Response, Response) {
        let create = |key: &str, name: &str| self.ada.post("/v1/documents").key(key).json(json!({"name": name}));
        create("k", "Plan").await.status(200);
        let refused = create("k", "Other").await;
        let earlier = self.ada.get(refused.leads_to(self.action)).await.status(200);
        assert_eq!(earlier["commands"][0]["answer"]["file"]["name"], "Plan");
        (refused, create("k2", "Other").await)
    }

    async fn risky_edit(&self) -> (Response, Response) {
        let (id, agent) = (self.document().await, self.agent());
        let segment = json!({"text": "Click", "link": "https://new.example/"});
        let operations = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [segment]}}]);
        let plan = samples::propose(&agent, &id, operations).await.await.status(200)["plan"].clone();
        let refused = samples::apply(&agent, &plan).await.await;
        self.post(&refused, &agent).await.status(200);
        samples::step(&self.ada, &plan, "approve", json!({})).await.status(200);
        (refused, samples::apply(&agent, &plan).await.await)
    }

    async fn review_by(&self, reviewer: &Caller) -> (Response, Response) {
        let id = self.document().await;
        let plan = samples::plan(&self.ada, &id, "two").await;
        samples::step(&self.ada, &plan, "request-review", json!({})).await.status(200);
        let refused = samples::step(reviewer, &plan, "approve", json!({})).await;
        let other = self.other_actor(&refused, &self.bob);
        (refused, samples::step(&other, &plan, "approve", json!({})).await)
    }

    async fn others_comment(&self) -> (Response, Response) {
        let id = self.document().await;
        let comment = samples::comment(&self.ada, &id, "Is that so?").await;
        let refused = samples::on_comment(&self.bob, &comment, "edit", json!({"text": "No."})).await;
        let author = self.other_actor(&refused, &self.ada);
        let edited = samples::on_comment(&author, &comment, "edit", json!({"text": "Yes."})).await;
        (refused, edited)
    }

    async fn promoted_draft(&self) -> (Response, Response) {
        let kept = self.ada.post("/v1/scratch").fresh_key().json(draft()).await.status(200);
        let path = |verb: &str| format!("/v1/scratch/{}/{verb}", kept["draft"]["id"].text());
        self.ada.post(path("promote")).fresh_key().json(json!({})).await.status(200);
        let refused = self.ada.post(path("update")).fresh_key().json(json!({"name": "Other"})).await;
        let file = self.ada.get(refused.leads_to(self.action)).await.status(200)["file"].clone();
        let renamed = samples::command(&self.ada, file["id"].text(), "rename", json!({"name": "Other"})).await.await;
        (refused, renamed)
    }

    /// A list that is full: its first item makes room.
    async fn full(&self, most: usize, path: &str, body: Value, member: &str, let_go: &str) -> (Response, Response) {
        let add = || self.ada.post(path).fresh_key().json(body.clone());
        for _ in 0..most {
            add().await.status(200);
        }
        let refused = add().await;
        let list = self.ada.get(refused.leads_to(self.action)).await.status(200);
        let item =
            list.json().get("items").or_else(|| list.json().get(format!("{member}s"))).expect("a list")[0].clone();
        let path = format!("{path}/{}/{let_go}", item["id"].text());
        self.ada.post(path).fresh_key().json(json!({})).await.status(200);
        (refused, add().await)
    }

    async fn full_workspace(&self) -> (Response, Response) {
        // More than the new one needs.
        let id = samples::id(&samples::document_of(&self.ada, &[&"one ".repeat(100)]).await);
        samples::command(&self.ada, &id, "trash", json!({})).await.await.status(200);
        samples::sql(self.stage, "UPDATE workspaces SET storage_quota_bytes = storage_used_bytes").await;
        let create = || self.ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan"}));
        let refused = create().await;
        let trashed = self.ada.get(refused.leads_to(self.action)).await.status(200)["items"][0]["id"].clone();
        samples::command(&self.ada, trashed.text(), "purge", json!({})).await.await.status(200);
        (refused, create().await)
    }
}

fn draft() -> Value {
    json!({"name": "Plan", "type": "note", "content": {"title": "", "content": "x"}})
}

fn webhook() -> Value {
    json!({"url": "https://hooks.example.com/", "events": ["*"]})
}
