//! Pages with the ids of the owner, opened by a stranger. Each answers as for ids that nobody has, and changes nothing.

use std::{collections::BTreeSet, time::Duration};

use serde_json::json;
use shared_runtime::http::contract::Contract;

use super::unchanged::unchanged;
use crate::{
    browser::Browser,
    caller::Caller,
    html,
    operation_fixture::Objects,
    page_fixture::{self, PageFixture, SESSION_PATH, SIGN_OUT_PATH},
    redact::redacted,
    request::Request,
    response::Response,
    stage::Stage,
};

/// Pages for people who have signed in and fixtures must match one to one. Forms are submitted by the owner, too.
pub async fn suite(stage: &Stage, owner: &Caller, stranger: &Caller, fixtures: &[PageFixture]) {
    let fixtures = &[fixtures, &page_fixture::of_every_service()].concat();
    let pages = stage.service().page_table();
    let owned: BTreeSet<&str> =
        fixtures.iter().filter_map(|fixture| fixture.objects.as_ref()).flat_map(Objects::owned_ids).collect();
    // A new minute: what the fixtures are about has used requests of this one.
    stage.clock.advance(Duration::from_secs(60));
    let (owner, stranger) = (Visitor::of(stage, owner).await, Visitor::of(stage, stranger).await);
    for page in pages.of_people() {
        let of_page: Vec<_> = fixtures.iter().filter(|fixture| fixture.page == page.id).collect();
        let [fixture] = of_page[..] else { panic!("exactly one fixture for {}, found {}", page.id, of_page.len()) };
        match &fixture.objects {
            Some(objects) => foreign_is_as_missing(stage, page, fixture, objects, (&owner, &stranger)).await,
            None => shows_nothing_of_others(page, fixture, &owned, &stranger).await,
        }
    }
    let is_there = |fixture: &&PageFixture| pages.of_people().any(|page| page.id == fixture.page);
    let unknown: Vec<_> = fixtures.iter().filter(|fixture| !is_there(fixture)).map(|fixture| fixture.page).collect();
    assert!(unknown.is_empty(), "fixtures of unknown pages: {unknown:?}");
}

async fn foreign_is_as_missing(
    stage: &Stage,
    page: &Contract,
    fixture: &PageFixture,
    objects: &Objects,
    (owner, stranger): (&Visitor, &Visitor),
) {
    let id = page.id;
    let missing = stranger.open(page, fixture, &objects.missing).await;
    let foreign = unchanged(stage, id, stranger.open(page, fixture, &objects.owned)).await;
    let told = |answer: &Response| {
        let location = if answer.has_header("location") { answer.header("location") } else { "" };
        let text = redacted(&json!([location, answer.body()])).to_string();
        (answer.status, objects.hidden_in(&text))
    };
    assert_eq!(told(&foreign), told(&missing), "{id}: foreign is as missing");
    let own = owner.open(page, fixture, &objects.owned).await;
    assert!((200..400).contains(&own.status), "{id}: the owner is accepted: {own}");
    let none = owner.open(page, fixture, &objects.missing).await;
    assert_ne!(told(&own), told(&none), "{id}: the owner sees what it is about");
}

async fn shows_nothing_of_others(page: &Contract, fixture: &PageFixture, owned: &BTreeSet<&str>, stranger: &Visitor) {
    assert!(!page.path.contains('{'), "{} is about an object, and its fixture has none", page.id);
    if page.method != "GET" {
        return;
    }
    let shown = stranger.open(page, fixture, "").await;
    assert!((200..400).contains(&shown.status), "{}: everyone has their own: {shown}", page.id);
    let body = shown.body();
    let words = body.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
    let foreign: Vec<_> = words.filter(|word| owned.contains(word)).collect();
    assert!(foreign.is_empty(), "{}: the owner's {foreign:?}: {shown}", page.id);
}

/// A browser, and what proves that its forms come from pages of the service.
struct Visitor {
    browser: Browser,
    csrf: String,
}

impl Visitor {
    async fn of(stage: &Stage, caller: &Caller) -> Self {
        let browser = stage.browser(caller);
        let page = browser.get(SESSION_PATH).await.status(200).body();
        let csrf = html::hidden(&page, SIGN_OUT_PATH, "csrf");
        Self { browser, csrf }
    }

    fn open(&self, page: &Contract, fixture: &PageFixture, id: &str) -> Request {
        let path = fixture.path.replace("{}", id);
        if page.method == "GET" {
            return self.browser.get(path);
        }
        let key = format!("page-{}", hex::encode(rand::random::<[u8; 16]>()));
        let own = fixture.fields.iter().map(|(name, value)| (*name, value.replace("{}", id)));
        let fields: Vec<(&str, String)> = own.chain([("csrf", self.csrf.clone()), ("key", key)]).collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        match fixture.file {
            Some(file) => self.browser.post_file(path, &fields, file),
            None => self.browser.post(path, &fields),
        }
    }
}
