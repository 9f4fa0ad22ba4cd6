//! Random trees and limits: an agent sees what a model of the tree says, and nothing else.
//!
//! `LIMITS_CASES=2000` tries more of them, `LIMITS_SEED` others.

use std::collections::BTreeSet;

use cloud_svc::service;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _, variable};

use super::{agent, ids, limit};
use crate::samples;

const KINDS: [(&str, &str); 4] =
    [("folder", "folders"), ("note", "notes"), ("document", "documents"), ("spreadsheet", "spreadsheets")];

#[derive(Clone, Debug)]
struct File {
    id: String,
    kind: &'static str,
    /// The index of its folder.
    parent: Option<usize>,
    is_trashed: bool,
    plan: Option<String>,
}

#[derive(Debug)]
struct Tree {
    files: Vec<File>,
    folders: Option<BTreeSet<usize>>,
    types: Option<BTreeSet<&'static str>>,
}

impl Tree {
    /// From the file up to the top.
    fn above(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |index| self.files[*index].parent)
    }

    fn is_allowed(&self, index: usize) -> bool {
        let kind = self.files[index].kind;
        let is_of_type = kind == "folder" || self.types.as_ref().is_none_or(|types| types.contains(kind));
        let is_inside = self.folders.as_ref().is_none_or(|folders| self.above(index).any(|at| folders.contains(&at)));
        is_of_type && is_inside
    }

    /// Whether a folder above it is in the trash.
    fn is_hidden(&self, index: usize) -> bool {
        self.above(index).skip(1).any(|at| self.files[at].is_trashed)
    }

    fn is_root(&self, index: usize) -> bool {
        self.folders.as_ref().is_some_and(|folders| folders.contains(&index))
    }

    /// The folder that the agent sees around it.
    fn parent(&self, index: usize) -> Option<usize> {
        if self.is_root(index) { None } else { self.files[index].parent }
    }

    fn ids(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<String> {
        let wanted = (0..self.files.len()).filter(|index| self.is_allowed(*index) && is_wanted(*index));
        let mut ids: Vec<_> = wanted.map(|index| self.files[index].id.clone()).collect();
        ids.sort();
        ids
    }

    fn is_active(&self, index: usize) -> bool {
        !self.files[index].is_trashed && !self.is_hidden(index)
    }
}

#[shared_testing::test]
async fn an_agent_sees_what_is_within_its_limits_and_nothing_else() {
    let stage = Stage::of(service()).await;
    let seed = variable("LIMITS_SEED", 30);
    for case in 1..=i64::try_from(variable("LIMITS_CASES", 60)).expect("a count") {
        let mut random = StdRng::seed_from_u64(seed.wrapping_mul(1_000_003) + case.unsigned_abs());
        // A workspace and callers of its own: no limit of rates is reached.
        let ada = stage.caller(&format!("ada{case}")).workspace(case);
        let robot = agent(&stage, &format!("robot{case}"), case).await;
        let tree = grow(&ada, &mut random).await;
        let folder_ids =
            tree.folders.as_ref().map(|all| all.iter().map(|at| tree.files[*at].id.clone()).collect::<Vec<_>>());
        let types = tree.types.as_ref().map(|all| all.iter().copied().collect::<Vec<_>>());
        let mut limits = json!({"may": "apply"});
        if let Some(folders) = folder_ids {
            limits["folders"] = json!(folders);
        }
        if let Some(types) = types {
            limits["types"] = json!(types);
        }
        limit(&ada, &robot, limits).await.status(200);
        trash(&ada, &tree).await;
        compare(&robot, &tree, case).await;
        change(&robot, &tree, &mut random).await;
    }
}

/// Makes a tree, and chooses limits. What is trashed in the model is trashed later: limits name visible folders.
async fn grow(ada: &Caller, random: &mut StdRng) -> Tree {
    let mut tree = Tree { files: Vec::new(), folders: None, types: None };
    for index in 0..random.random_range(3..9) {
        let (kind, collection) = *KINDS.choose(random).expect("a kind");
        let folders: Vec<usize> = (0..index).filter(|at| tree.files[*at].kind == "folder").collect();
        let parent = folders.choose(random).copied().filter(|_| random.random_bool(0.8));
        let parent_id = parent.map_or_else(|| "root".to_owned(), |at| tree.files[at].id.clone());
        let body = json!({"name": format!("findable {index}"), "parent_id": parent_id});
        let id = samples::id(&ada.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200));
        let plan =
            if kind == "document" { Some(samples::plan(ada, &id, "more").await["id"].text().to_owned()) } else { None };
        tree.files.push(File { id, kind, parent, is_trashed: random.random_bool(0.15), plan });
    }
    let folders: Vec<usize> = (0..tree.files.len()).filter(|at| tree.files[*at].kind == "folder").collect();
    if !folders.is_empty() && random.random_bool(0.8) {
        let chosen = folders.iter().copied().filter(|_| random.random_bool(0.4)).collect::<BTreeSet<_>>();
        tree.folders = Some(if chosen.is_empty() { BTreeSet::from([folders[0]]) } else { chosen });
    }
    if random.random_bool(0.5) {
        tree.types = Some(BTreeSet::from([KINDS[random.random_range(1..4)].0, "note"]));
    }
    tree
}

/// Trashes from the bottom up: what is in a trashed folder is no longer found.
async fn trash(ada: &Caller, tree: &Tree) {
    for file in tree.files.iter().rev().filter(|file| file.is_trashed) {
        samples::command(ada, &file.id, "trash", json!({})).await.await.status(200);
    }
}

async fn compare(robot: &Caller, tree: &Tree, case: i64) {
    let list = async |path: &str| ids(&robot.get(path).await.status(200));
    let active = tree.ids(|at| tree.is_active(at));
    assert_eq!(list("/v1/files?limit=100").await, active, "case {case}: {tree:?}");
    assert_eq!(list("/v1/search?name_contains=findable&limit=100").await, active, "case {case}: {tree:?}");
    assert_eq!(list("/v1/search?name_contains=f&limit=100").await, active, "case {case}: {tree:?}");
    let trashed = tree.ids(|at| tree.files[at].is_trashed);
    assert_eq!(list("/v1/files?state=trashed&limit=100").await, trashed, "case {case}: {tree:?}");
    let at_top = tree.ids(|at| tree.is_active(at) && tree.parent(at).is_none());
    assert_eq!(list("/v1/files?parent_id=root").await, at_top, "case {case}: {tree:?}");
    let found = robot.get("/v1/content-search?text=findable&limit=100").await.status(200);
    let mut found: Vec<_> =
        found["items"].as_array().expect("items").iter().map(|item| item["file"]["id"].text().to_owned()).collect();
    found.sort();
    assert_eq!(found, active, "case {case}: {tree:?}");
    let mut plans: Vec<_> = (0..tree.files.len())
        .filter(|at| tree.is_allowed(*at) && tree.is_active(*at))
        .filter_map(|at| tree.files[at].plan.clone())
        .collect();
    plans.sort();
    assert_eq!(list("/v1/edit-plans?limit=100").await, plans, "case {case}: {tree:?}");
    let seen: BTreeSet<String> = tree.ids(|_| true).into_iter().collect();
    for path in ["/v1/changes?limit=100", "/v1/changes/recent?limit=100"] {
        let mut told = BTreeSet::new();
        for change in robot.get(path).await.status(200)["items"].as_array().expect("items") {
            if let Some(id) = change["file"]["id"].as_str() {
                told.insert(id.to_owned());
            } else {
                assert!(tree.folders.is_none() && tree.types.is_none(), "case {case}: {change}");
            }
        }
        assert_eq!(told, seen, "case {case}, {path}: {tree:?}");
    }
    for (at, file) in tree.files.iter().enumerate() {
        let answer = robot.get(format!("/v1/files/{}", file.id)).await;
        if tree.is_allowed(at) && (file.is_trashed || !tree.is_hidden(at)) {
            let answer = answer.status(200);
            let parent = tree.parent(at).map_or(Value::Null, |parent| json!(tree.files[parent].id));
            assert_eq!(answer["file"]["parent_id"], parent, "case {case}: {tree:?}");
            details(robot, tree, at, case).await;
        } else {
            let missing = robot.get("/v1/files/file_999999999").await.refused(404, "not_found");
            assert_eq!(answer.redacted(), missing.redacted(), "case {case}: {tree:?}");
        }
        if file.kind == "folder" {
            within(robot, tree, at, case).await;
        }
    }
}

/// The path of a file begins at a folder of the limits.
async fn details(robot: &Caller, tree: &Tree, at: usize, case: i64) {
    let answer = robot.get(format!("/v1/files/{}/details", tree.files[at].id)).await.status(200);
    for entry in answer["details"]["path"].as_array().expect("a path") {
        let above = tree.files.iter().position(|file| file.id == entry["id"].text()).expect("a folder of the tree");
        assert!(tree.is_allowed(above), "case {case}: {answer} {tree:?}");
    }
}

async fn within(robot: &Caller, tree: &Tree, at: usize, case: i64) {
    let answer: Response = robot.get(format!("/v1/files?parent_id={}", tree.files[at].id)).await;
    if tree.is_allowed(at) && (tree.files[at].is_trashed || !tree.is_hidden(at)) {
        let inside = tree.ids(|index| tree.parent(index) == Some(at) && tree.is_active(index));
        assert_eq!(ids(&answer.status(200)), inside, "case {case}: {tree:?}");
    } else {
        let missing = robot.get("/v1/files?parent_id=file_999999999").await.refused(404, "not_found");
        assert_eq!(answer.redacted(), missing.redacted(), "case {case}: {tree:?}");
    }
}

/// The agent creates a note in each folder and at the top: only where it sees the folder.
async fn change(robot: &Caller, tree: &Tree, random: &mut StdRng) {
    let (kind, collection) = KINDS[random.random_range(1..4)];
    let is_of_type = tree.types.as_ref().is_none_or(|types| types.contains(kind));
    let create = |parent: Value| {
        robot.post(format!("/v1/{collection}")).fresh_key().json(json!({"name": "mine", "parent_id": parent}))
    };
    let at_top = create(json!("root")).await;
    match (is_of_type, &tree.folders) {
        (false, _) => drop(at_top.refused(403, "agent_limited")),
        (true, Some(_)) => drop(at_top.refused(404, "not_found")),
        (true, None) => drop(at_top.status(200)),
    }
    for at in (0..tree.files.len()).filter(|at| tree.files[*at].kind == "folder" && !tree.files[*at].is_trashed) {
        let answer = create(json!(tree.files[at].id)).await;
        match (is_of_type, tree.is_allowed(at) && !tree.is_hidden(at)) {
            (false, _) => drop(answer.refused(403, "agent_limited")),
            (true, true) => drop(answer.status(200)),
            (true, false) => {
                let missing = create(json!("file_999999999")).await.refused(404, "not_found");
                assert_eq!(answer.refused(404, "not_found").redacted(), missing.redacted(), "{tree:?}");
            }
        }
    }
}
