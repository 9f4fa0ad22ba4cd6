//! Webhooks, which belong to a grant. Their endpoint does not exist, so none becomes active.

use serde_json::{Value, json};
use shared_testing::histories::Command;

use super::{
    Cloud, Turn,
    actors::{Refused, Scope},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Webhook {
    pub id: String,
    pub who: &'static str,
    pub description: String,
    pub state: &'static str,
    pub is_rotated: bool,
}

const URL: &str = "https://hooks.example.com/";

impl Webhook {
    fn record(&self) -> Value {
        json!({"id": self.id, "url": URL, "state": self.state})
    }

    fn answer(&self) -> Value {
        json!({"webhook": self.record(), "settings": {"description": self.description, "events": ["*"]}})
    }
}

impl Cloud {
    fn webhook(&self, who: &str, id: &str) -> Result<&Webhook, Refused> {
        self.webhooks.iter().find(|webhook| webhook.id == id && webhook.who == who).ok_or_else(|| vec!["not_found"])
    }

    fn own_webhook(&mut self, who: &str, id: &str) -> Result<&mut Webhook, Refused> {
        self.may(who, Scope::Webhooks)?;
        self.webhook(who, id)?;
        Ok(self.webhooks.iter_mut().find(|webhook| webhook.id == id).expect("a webhook"))
    }
}

fn any(turn: &mut Turn<'_>) -> Option<(&'static str, String)> {
    let other = turn.member();
    let webhook = turn.dice.pick(&turn.cloud.webhooks, |webhook| &webhook.id)?;
    let who = if turn.dice.percent(80) { webhook.who } else { other };
    Some((who, webhook.id.clone()))
}

pub fn create(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.member(), turn.n.to_owned());
    let description = format!("Webhook {n}");
    let body = json!({"url": URL, "events": ["*"], "description": description});
    Some(Command::post("create_webhook", who, "/v1/webhooks", body).does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Webhooks)?;
        let own = cloud.webhooks.iter().filter(|webhook| webhook.who == who && webhook.state != "revoked");
        if own.count() >= 10 {
            return Err(vec!["webhook_limit"]);
        }
        let (id, description) = (format!("$webhook{n}"), description.clone());
        let webhook = Webhook { id, who, description, state: "pending", is_rotated: false };
        let mut answer = webhook.answer();
        answer["signing_secret"] = json!(format!("$secret{n}"));
        cloud.webhooks.push(webhook);
        Ok(answer)
    }))
}

#[derive(Clone, Copy, PartialEq)]
pub enum Verb {
    Update,
    Verify,
    Enable,
    Disable,
    Revoke,
    Rotate,
    Ping,
    Replay,
}

pub fn change(turn: &mut Turn<'_>, operation: &'static str, verb: Verb) -> Option<Command<Cloud>> {
    let ((who, id), n) = (any(turn)?, turn.n.to_owned());
    let description = format!("Webhook {n}");
    let (word, body) = match verb {
        Verb::Update => ("update", json!({"description": description, "events": ["*"]})),
        Verb::Verify => ("verify", json!({"challenge": "a guess"})),
        Verb::Enable => ("enable", json!({})),
        Verb::Disable => ("disable", json!({})),
        Verb::Revoke => ("revoke", json!({})),
        Verb::Rotate => ("rotate-secret", json!({})),
        Verb::Ping => ("ping", json!({})),
        Verb::Replay => ("replay", json!({"from_sequence": 1})),
    };
    let mut command = Command::post(operation, who, format!("/v1/webhooks/{id}/{word}"), body);
    let fields: &[(&str, &str)] = match verb {
        Verb::Update => &[("action", word), ("event-0", "*"), ("description", &description)],
        Verb::Verify => &[("action", "answer"), ("challenge", "a guess")],
        Verb::Enable | Verb::Disable | Verb::Revoke | Verb::Ping => &[("action", word)],
        // The page shows the new secret once, and sends one event again.
        Verb::Rotate | Verb::Replay => &[],
    };
    if !fields.is_empty() {
        command = command.form(format!("/w/webhooks/{id}"), fields);
    }
    Some(command.does(move |cloud: &mut Cloud, _| {
        let webhook = cloud.own_webhook(who, &id)?;
        let is_revoked = webhook.state == "revoked";
        match verb {
            // Only of active ones, or with the right challenge.
            Verb::Ping | Verb::Replay | Verb::Verify => return Err(vec!["webhook_state"]),
            Verb::Revoke => webhook.state = "revoked",
            _ if is_revoked => return Err(vec!["webhook_state"]),
            Verb::Update => webhook.description.clone_from(&description),
            Verb::Enable => webhook.state = "pending",
            Verb::Disable => webhook.state = "disabled",
            Verb::Rotate if webhook.is_rotated => return Err(vec!["webhook_state"]),
            Verb::Rotate => {
                webhook.is_rotated = true;
                return Ok(json!({"webhook": webhook.record(), "signing_secret": format!("$secret{n}")}));
            }
        }
        Ok(webhook.answer())
    }))
}

pub fn get(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, id) = any(turn)?;
    Some(
        Command::get("get_webhook", who, format!("/v1/webhooks/{id}"))
            .does(move |cloud: &mut Cloud, _| Ok::<_, Refused>(cloud.webhook(who, &id)?.answer())),
    )
}

pub fn deliveries(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, id) = any(turn)?;
    let path = format!("/v1/webhooks/{id}/deliveries");
    Some(Command::get("list_webhook_deliveries", who, path).does(move |cloud: &mut Cloud, _| {
        cloud.webhook(who, &id)?;
        // When the challenge is tried again is not known.
        Ok::<_, Refused>(json!({}))
    }))
}

pub fn list(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    Some(Command::get("list_webhooks", who, "/v1/webhooks").does(move |cloud: &mut Cloud, _| {
        let own = cloud.webhooks.iter().filter(|webhook| webhook.who == who && webhook.state != "revoked");
        // Webhooks of one second have no order among them.
        Ok::<_, Refused>(json!({"webhooks": vec!["*"; own.count()]}))
    }))
}
