//! One of many at work: it makes proposals and decides about all, and repeats what got no answer.

use std::{cell::Cell, collections::BTreeMap, rc::Rc, time::Duration};

use rand::{
    RngExt as _, SeedableRng as _,
    rngs::StdRng,
    seq::{IndexedRandom as _, SliceRandom as _},
};
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, Text as _};

use super::record::{History, Unit};

/// Each verb with its weight for the author, and for others: nobody does only what is allowed.
const VERBS: [(&str, u32, u32); 9] = [
    ("request-review", 6, 1),
    ("approve", 1, 12),
    ("reject", 1, 2),
    ("discard", 1, 1),
    ("rebase", 6, 1),
    ("apply", 8, 6),
    ("undo", 3, 3),
    ("plans", 2, 0),
    ("read", 1, 1),
];

pub struct Worker {
    caller: Caller,
    name: String,
    history: Rc<History>,
    random: StdRng,
}

impl Worker {
    pub fn new(caller: Caller, history: Rc<History>, seed: u64) -> Self {
        Self { name: caller.claim_text("sub"), caller, history, random: StdRng::seed_from_u64(seed) }
    }

    pub async fn run(mut self, is_over: &Cell<bool>) {
        while !is_over.get() {
            match self.random.random_range(0..20) {
                0..2 => self.propose().await,
                2 => self.single().await,
                3 => self.trash().await,
                _ => self.decide().await,
            }
        }
    }

    /// Sends a request until it has an answer.
    async fn answer(&self, request: Request) -> Response {
        loop {
            match request.clone().send().await {
                // 503: the service starts, or cannot get its database.
                Ok(answer) if answer.status != 503 => {
                    assert!(answer.status < 500, "{answer}");
                    return answer;
                }
                _ => {
                    self.history.resent.set(self.history.resent.get() + 1);
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
        }
    }

    async fn act(&self, verb: &str, request: Request) -> Response {
        let answer = self.answer(request).await;
        let outcome = answer["error"]["code"].as_str().map_or_else(|| answer.status.to_string(), str::to_owned);
        self.history.count(verb, &outcome);
        answer
    }

    fn post(&self, path: String, body: Value) -> Request {
        self.caller.post(path).fresh_key().json(body)
    }

    /// A plan that adds `text` to a file; none if the file was changed or trashed meanwhile.
    async fn plan(&self, file: &str, text: &str) -> Option<Value> {
        let read = self.answer(self.caller.get(format!("/v1/files/{file}"))).await;
        let etag = read["file"]["etag"].text().to_owned();
        let block = json!({"type": "paragraph", "segments": [{"text": text}]});
        let body = json!({"operations": [{"op": "insert_block", "block": block}]});
        let request = self.post(format!("/v1/files/{file}/edit-plans"), body).header("if-match", etag);
        let answer = self.answer(request).await;
        (answer.status == 200).then(|| answer["plan"].clone())
    }

    async fn propose(&mut self) {
        let mut files = self.history.files.clone();
        files.shuffle(&mut self.random);
        files.truncate(self.random.random_range(2..5));
        let (mut texts, mut plans) = (BTreeMap::new(), Vec::new());
        for file in files {
            let text = self.history.fresh_text();
            if let Some(plan) = self.plan(&file, &text).await {
                plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
                texts.insert(file, text);
            }
        }
        let request = self.post("/v1/proposals".to_owned(), json!({"title": "Together", "plans": plans}));
        let answer = self.act("propose", request).await;
        if answer.status == 200 {
            let proposal = answer["proposal"]["id"].text().to_owned();
            self.history.units.borrow_mut().push(Unit {
                proposal,
                author: self.name.clone(),
                texts,
                ..Unit::default()
            });
        }
    }

    /// A plan for one file, applied alone: it makes proposals stale.
    async fn single(&mut self) {
        let file = self.history.files.choose(&mut self.random).expect("a file").clone();
        let text = self.history.fresh_text();
        let Some(plan) = self.plan(&file, &text).await else { return };
        let etag = plan["base_etag"].text().to_owned();
        let request = self.post(plan["apply_url"].text().to_owned(), json!({})).header("if-match", etag);
        let answer = self.act("single", request).await;
        let story = vec![format!("{} single: {answer}", self.name)];
        let (texts, applied) = (BTreeMap::from([(file, text)]), usize::from(answer.status == 200));
        let unit = Unit { author: self.name.clone(), texts, applied, story, ..Unit::default() };
        self.history.units.borrow_mut().push(unit);
    }

    /// A file goes to the trash and comes back.
    async fn trash(&mut self) {
        let file = self.history.files.choose(&mut self.random).expect("a file").clone();
        for verb in ["trash", "restore"] {
            // Others change the file meanwhile: what is trashed must come back all the same.
            loop {
                let read = self.answer(self.caller.get(format!("/v1/files/{file}"))).await;
                let etag = read["file"]["etag"].text().to_owned();
                let request = self.post(format!("/v1/files/{file}/{verb}"), json!({})).header("if-match", etag);
                let answer = self.act(verb, request).await;
                if answer.status != 412 {
                    break;
                }
            }
        }
    }

    /// Any verb on any recent proposal.
    async fn decide(&mut self) {
        let (at, proposal, author, file) = {
            let units = self.history.units.borrow();
            let recent = units.len().saturating_sub(8);
            let known: Vec<_> = (recent..units.len()).filter(|at| !units[*at].proposal.is_empty()).collect();
            let Some(at) = known.choose(&mut self.random).copied() else { return };
            let unit = &units[at];
            (at, unit.proposal.clone(), unit.author.clone(), unit.texts.keys().next().cloned())
        };
        let weight = |(_, of_author, of_other): &_| if author == self.name { *of_author } else { *of_other };
        let verb = VERBS.choose_weighted(&mut self.random, weight).expect("a verb").0;
        let path = format!("/v1/proposals/{proposal}");
        let request = match verb {
            // Others may rebase the plans before the request arrives.
            "approve" | "apply" | "rebase" => {
                let read = self.answer(self.caller.get(path.clone())).await;
                let seen = json!({"proposal_sha256": read["proposal"]["proposal_sha256"]});
                self.post(format!("{path}/{verb}"), seen)
            }
            "read" => self.caller.get(path),
            "reject" => self.post(format!("{path}/reject"), json!({"reason": "No."})),
            "plans" => {
                let read = self.answer(self.caller.get(path.clone())).await;
                let plans = read["proposal"]["plans"].as_array().expect("plans");
                let Some(plan) = plans.iter().find(|plan| plan["file_id"].as_str() == file.as_deref()) else { return };
                self.post(format!("{path}/plans"), json!({"remove": [plan["id"]]}))
            }
            _ => self.post(format!("{path}/{verb}"), json!({})),
        };
        let answer = self.act(verb, request).await;
        let mut units = self.history.units.borrow_mut();
        let unit = &mut units[at];
        unit.story.push(format!("{} {verb}: {} {}", self.name, answer.status, answer["error"]["code"]));
        if answer.status == 200 {
            match verb {
                "apply" => unit.applied += 1,
                "undo" => unit.undone += 1,
                "plans" => drop(unit.texts.remove(file.as_deref().expect("a file of the proposal"))),
                _ => {}
            }
        }
    }
}
