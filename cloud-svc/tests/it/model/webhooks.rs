//! Webhooks, which belong to a grant, and what their endpoints are sent.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shared_testing::histories::{Command, Expected, Seen};

use super::{
    Cloud, Turn,
    actors::{Refused, Scope},
    endpoint::{ANSWERS, KEEPS_SILENT, PAUSES},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The answer of its endpoint makes it active. Only a read shows that.
    Pending,
    Active,
    Disabled,
    Revoked,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Webhook {
    pub id: String,
    pub who: &'static str,
    url: String,
    description: String,
    state: State,
    /// The secret that has signed every message, also after a rotation.
    secret: String,
    is_rotated: bool,
    /// What a person was told at the endpoint.
    challenge: Option<String>,
    /// Whether it never had another challenge.
    has_first_challenge: bool,
    /// It may have been sent the changes after this one; none: nothing.
    earliest: Option<usize>,
    /// It must be sent all changes after this one.
    surely: Option<usize>,
    /// It may have been sent this many pings, and must be sent the last few.
    pings: usize,
    sure_pings: usize,
    /// Whether something waited to be sent when somebody last looked.
    is_behind: bool,
}

impl Webhook {
    fn answers(&self) -> bool {
        self.url.contains(ANSWERS)
    }

    /// The record, as far as it is known. Learns from the answer that the webhook is active.
    fn record(&mut self, newest: usize, seen: Seen<'_>) -> Value {
        let found = seen.answer.map_or(&Value::Null, |answer| &answer["webhook"]["state"]);
        let may_be_active = self.state == State::Pending && self.answers();
        if may_be_active && found == "active" {
            self.state = State::Active;
        }
        // The limits of that agent change, and so does what it is sent.
        if self.state == State::Active && found == "active" && self.who != "limited" {
            self.surely.get_or_insert(newest);
        }
        let state = match self.state {
            State::Pending if may_be_active && seen.answer.is_none() => "*",
            State::Pending => "pending",
            State::Active => "active",
            State::Disabled => "disabled",
            State::Revoked => "revoked",
        };
        json!({"id": self.id, "url": self.url, "state": state})
    }

    fn answer(&mut self, newest: usize, seen: Seen<'_>) -> Value {
        let record = self.record(newest, seen);
        json!({"webhook": record, "settings": {"description": self.description, "events": ["*"]}})
    }

    /// From now on it may be sent what happens after this change.
    fn may_be_sent(&mut self, after: usize) {
        self.earliest = Some(self.earliest.map_or(after, |earliest| earliest.min(after)));
    }

    /// What was not sent yet is never sent.
    fn stop(&mut self, state: State) {
        (self.state, self.surely, self.sure_pings, self.challenge) = (state, None, 0, None);
    }
}

impl Cloud {
    fn webhook(&mut self, who: &str, id: &str) -> Result<&mut Webhook, Refused> {
        let found = self.webhooks.iter_mut().find(|webhook| webhook.id == id && webhook.who == who);
        found.ok_or_else(|| vec!["not_found"])
    }

    fn own_webhook(&mut self, who: &str, id: &str) -> Result<&mut Webhook, Refused> {
        self.may(who, Scope::Webhooks)?;
        self.webhook(who, id)
    }
}

fn any(turn: &mut Turn<'_>) -> Option<(&'static str, Webhook)> {
    let other = turn.member();
    let webhook = turn.dice.pick(&turn.cloud.webhooks, |webhook| &webhook.id)?;
    let who = if turn.dice.percent(80) { webhook.who } else { other };
    Some((who, webhook.clone()))
}

pub fn create(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.member(), turn.n.to_owned());
    let description = format!("Webhook {n}");
    let kind = if turn.dice.percent(75) { ANSWERS } else { KEEPS_SILENT };
    let url = format!("{}{kind}{n}", turn.cloud.endpoint);
    let body = json!({"url": url, "events": ["*"], "description": description});
    // Of now, not of the moment when it happens: a lost answer would leave one world open for each moment.
    let earliest = turn.cloud.feed.len();
    Some(Command::post("create_webhook", who, "/v1/webhooks", body).does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Webhooks)?;
        let own = cloud.webhooks.iter().filter(|webhook| webhook.who == who && webhook.state != State::Revoked);
        if own.count() >= 10 {
            return Err(vec!["webhook_limit"]);
        }
        let mut webhook = Webhook {
            id: format!("$webhook{n}"),
            who,
            url: url.clone(),
            description: description.clone(),
            state: State::Pending,
            secret: format!("$secret{n}"),
            is_rotated: false,
            challenge: None,
            has_first_challenge: true,
            earliest: None,
            surely: None,
            pings: 0,
            sure_pings: 0,
            is_behind: false,
        };
        if webhook.answers() {
            webhook.may_be_sent(earliest);
        }
        let record = json!({"id": webhook.id, "url": webhook.url, "state": "pending"});
        let settings = json!({"description": webhook.description, "events": ["*"]});
        let answer = json!({"webhook": record, "settings": settings, "signing_secret": webhook.secret});
        cloud.webhooks.push(webhook);
        Ok(answer)
    }))
}

#[derive(Clone, Copy, PartialEq)]
pub enum Verb {
    Update,
    Enable,
    Disable,
    Revoke,
    Rotate,
}

pub fn change(turn: &mut Turn<'_>, operation: &'static str, verb: Verb) -> Option<Command<Cloud>> {
    let ((who, Webhook { id, .. }), n) = (any(turn)?, turn.n.to_owned());
    let (description, earliest) = (format!("Webhook {n}"), turn.cloud.feed.len());
    let (word, body) = match verb {
        Verb::Update => ("update", json!({"description": description, "events": ["*"]})),
        Verb::Enable => ("enable", json!({})),
        Verb::Disable => ("disable", json!({})),
        Verb::Revoke => ("revoke", json!({})),
        Verb::Rotate => ("rotate-secret", json!({})),
    };
    let mut command = Command::post(operation, who, format!("/v1/webhooks/{id}/{word}"), body);
    let fields: &[(&str, &str)] = match verb {
        Verb::Update => &[("action", word), ("event-0", "*"), ("description", &description)],
        Verb::Enable | Verb::Disable | Verb::Revoke => &[("action", word)],
        // The page shows the new secret once.
        Verb::Rotate => &[],
    };
    if !fields.is_empty() {
        command = command.form(format!("/w/webhooks/{id}"), fields);
    }
    Some(command.does(move |cloud: &mut Cloud, seen| {
        let newest = cloud.feed.len();
        let webhook = cloud.own_webhook(who, &id)?;
        match (verb, webhook.state) {
            (Verb::Revoke, _) => webhook.stop(State::Revoked),
            (_, State::Revoked) => return Err(vec!["webhook_state"]),
            (Verb::Update, _) => webhook.description.clone_from(&description),
            (Verb::Enable, State::Disabled) => {
                (webhook.state, webhook.has_first_challenge) = (State::Pending, false);
                if webhook.answers() {
                    webhook.may_be_sent(earliest);
                }
            }
            (Verb::Enable, _) => {}
            (Verb::Disable, _) => webhook.stop(State::Disabled),
            (Verb::Rotate, _) if webhook.is_rotated => return Err(vec!["webhook_state"]),
            (Verb::Rotate, _) => {
                webhook.is_rotated = true;
                return Ok(json!({"webhook": webhook.record(newest, seen), "signing_secret": format!("$secret{n}")}));
            }
        }
        Ok(webhook.answer(newest, seen))
    }))
}

/// What only an active webhook does.
#[derive(Clone, Copy, PartialEq)]
pub enum Sends {
    Ping,
    /// The changes from a number on, again.
    Replay,
}

pub fn send(turn: &mut Turn<'_>, operation: &'static str, what: Sends) -> Option<Command<Cloud>> {
    let ((who, Webhook { id, .. }), n) = (any(turn)?, turn.n.to_owned());
    let from = 1 + turn.dice.below(u64::try_from(turn.cloud.feed.len()).ok()?.max(1));
    let path = |word: &str| format!("/v1/webhooks/{id}/{word}");
    let command = match what {
        Sends::Ping => Command::post(operation, who, path("ping"), json!({}))
            .form(format!("/w/webhooks/{id}"), &[("action", "ping")]),
        // A page sends one event again.
        Sends::Replay => Command::post(operation, who, path("replay"), json!({"from_sequence": from})),
    };
    Some(command.does(move |cloud: &mut Cloud, seen| {
        let newest = cloud.feed.len();
        let webhook = match cloud.own_webhook(who, &id) {
            Ok(webhook) => webhook,
            Err(refused) => return Err(refused).into(),
        };
        let may_be_active = webhook.state == State::Pending && webhook.answers();
        if webhook.state != State::Active && !may_be_active {
            return Expected::refused("webhook_state");
        }
        webhook.state = State::Active;
        let body = match what {
            Sends::Ping => {
                (webhook.pings, webhook.sure_pings) = (webhook.pings + 1, webhook.sure_pings + 1);
                json!({"webhook": webhook.record(newest, seen), "event_id": format!("$ping{n}")})
            }
            Sends::Replay => {
                let before = usize::try_from(from - 1).unwrap_or_default();
                webhook.may_be_sent(before);
                webhook.surely = webhook.surely.map(|surely| surely.min(before));
                webhook.answer(newest, seen)
            }
        };
        let sent = Expected::success(body);
        if may_be_active { sent.or_refused("webhook_state") } else { sent }
    }))
}

/// How a person proves that an endpoint is theirs.
enum Proof {
    SendAgain,
    Guess,
    /// What the endpoint was sent.
    Heard(String),
}

/// Takes the challenge to the service, or first looks for it at the endpoint.
pub fn verify(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let ((who, webhook), n) = (any(turn)?, turn.n.to_owned());
    let Webhook { id, challenge, .. } = webhook.clone();
    let proof = match (turn.dice.below(6), challenge) {
        (0, _) => Proof::Guess,
        (1, _) => Proof::SendAgain,
        (_, Some(challenge)) => Proof::Heard(challenge),
        (_, None) if webhook.answers() => Proof::SendAgain,
        (_, None) => return Some(look_for_challenge(webhook, n)),
    };
    let earliest = turn.cloud.feed.len();
    let body = match &proof {
        Proof::SendAgain => json!({}),
        Proof::Guess => json!({"challenge": "a guess"}),
        Proof::Heard(challenge) => json!({"challenge": challenge}),
    };
    let fields: &[(&str, &str)] = match &proof {
        Proof::SendAgain => &[("action", "challenge")],
        Proof::Guess => &[("action", "answer"), ("challenge", "a guess")],
        Proof::Heard(challenge) => &[("action", "answer"), ("challenge", challenge)],
    };
    let command = Command::post("verify_webhook", who, format!("/v1/webhooks/{id}/verify"), body);
    Some(command.form(format!("/w/webhooks/{id}"), fields).does(move |cloud: &mut Cloud, seen| {
        let newest = cloud.feed.len();
        let webhook = match cloud.own_webhook(who, &id) {
            Ok(webhook) => webhook,
            Err(refused) => return Err(refused).into(),
        };
        let is_unsure = match (&proof, webhook.state) {
            (Proof::SendAgain, State::Pending) => webhook.answers(),
            (Proof::Heard(_), State::Pending) => {
                let is_unsure = !webhook.has_first_challenge;
                webhook.state = State::Active;
                webhook.may_be_sent(earliest);
                is_unsure
            }
            _ => return Expected::refused("webhook_state"),
        };
        let verified = Expected::success(webhook.answer(newest, seen));
        if is_unsure { verified.or_refused("webhook_state") } else { verified }
    }))
}

fn look_for_challenge(webhook: Webhook, n: String) -> Command<Cloud> {
    Command::get("look_for_challenge", "endpoint", webhook.url).does(move |cloud: &mut Cloud, seen| {
        let found = seen.answer.and_then(|answer| answer["challenges"].as_array()).map_or(0, Vec::len);
        let webhook = cloud.webhooks.iter_mut().find(|other| other.id == webhook.id);
        if let Some(webhook) = webhook.filter(|webhook| webhook.state == State::Pending && found > 0) {
            webhook.challenge = Some(format!("$xchallenge{n}"));
        }
        let mut challenges = vec![json!("*"); found];
        if let Some(newest) = challenges.last_mut() {
            *newest = json!(format!("$xchallenge{n}"));
        }
        Ok::<_, Refused>(json!({"challenges": challenges}))
    })
}

pub fn get(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, Webhook { id, .. }) = any(turn)?;
    Some(got(who, id))
}

pub fn got(who: &'static str, id: String) -> Command<Cloud> {
    Command::get("get_webhook", who, format!("/v1/webhooks/{id}")).does(move |cloud: &mut Cloud, seen| {
        let newest = cloud.feed.len();
        Ok::<_, Refused>(cloud.webhook(who, &id)?.answer(newest, seen))
    })
}

pub fn deliveries(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, Webhook { id, .. }) = any(turn)?;
    let path = format!("/v1/webhooks/{id}/deliveries");
    Some(Command::get("list_webhook_deliveries", who, path).does(move |cloud: &mut Cloud, _| {
        cloud.webhook(who, &id)?;
        // What is sent meanwhile is not known. What has come is compared at the end.
        Ok::<_, Refused>(json!({}))
    }))
}

pub fn list(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    Some(Command::get("list_webhooks", who, "/v1/webhooks").does(move |cloud: &mut Cloud, seen| {
        let own = cloud.webhooks.iter().filter(|webhook| webhook.who == who && webhook.state != State::Revoked);
        let own: Vec<&str> = own.map(|webhook| webhook.id.as_str()).collect();
        // Webhooks of one second have no order among them.
        Ok::<_, Refused>(json!({"webhooks": seen.listed("webhooks", &own, own.len())}))
    }))
}

impl Cloud {
    /// Looks whether something still waits to be sent to active webhooks: to all, or to those for which it did.
    pub fn looks_behind(&self, is_first: bool) -> Vec<Command<Self>> {
        let active = self.webhooks.iter().filter(|webhook| webhook.state == State::Active);
        let looks = active.filter(|webhook| is_first || webhook.is_behind).map(pending_deliveries);
        let mut looks: Vec<_> = looks.collect();
        if !is_first && !looks.is_empty() {
            let pause = Command::get("wait", "endpoint", PAUSES);
            looks.insert(0, pause.does(|_: &mut Self, _| Ok::<_, Refused>(json!({}))));
        }
        looks
    }
}

fn pending_deliveries(webhook: &Webhook) -> Command<Cloud> {
    let (who, id) = (webhook.who, webhook.id.clone());
    let path = format!("/v1/webhooks/{id}/deliveries?status=pending&limit=1");
    Command::get("list_webhook_deliveries", who, path).does(move |cloud: &mut Cloud, seen| {
        let webhook = cloud.webhook(who, &id)?;
        webhook.is_behind = seen.answer.is_some_and(|answer| answer["items"][0].is_object());
        Ok::<_, Refused>(json!({}))
    })
}

/// What the endpoint was sent: all that it must be, each change once, nothing else, all with the webhook's signature.
pub fn heard(cloud: &Cloud, webhook: &Webhook) -> Command<Cloud> {
    let id = webhook.id.clone();
    let newest = cloud.feed.len();
    Command::get("look_at_endpoint", "endpoint", webhook.url.clone())
        .header("secret", &webhook.secret)
        .header("after", &webhook.surely.unwrap_or(newest).to_string())
        .header("until", &newest.to_string())
        .header("pings", &webhook.sure_pings.to_string())
        .does(move |cloud: &mut Cloud, seen| {
            let newest = cloud.feed.len();
            let webhook = cloud.webhooks.iter().find(|webhook| webhook.id == id).expect("a webhook of the history");
            let events = seen.answer.and_then(|answer| answer["events"].as_array()).map_or(&[][..], Vec::as_slice);
            let came = events.iter().filter_map(|event| usize::try_from(event["data"]["sequence"].as_u64()?).ok());
            // What may have come and has come, and what must have come.
            let earliest = webhook.earliest.unwrap_or(newest);
            let mut expected: BTreeSet<usize> =
                came.filter(|number| (earliest + 1..=newest).contains(number)).collect();
            expected.extend(webhook.surely.unwrap_or(newest) + 1..=newest);
            let pings = seen.answer.and_then(|answer| answer["pings"].as_u64()).unwrap_or_default();
            let is_possible = (webhook.sure_pings..=webhook.pings).any(|count| count as u64 == pings);
            let pings = if is_possible { json!(pings) } else { json!(webhook.sure_pings) };
            let events: Vec<Value> = expected.into_iter().map(|number| cloud.feed[number - 1].event(number)).collect();
            Ok::<_, Refused>(json!({"events": events, "pings": pings, "is_signed": true}))
        })
}
