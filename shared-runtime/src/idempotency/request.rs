//! What identifies a command: the scope of its key, and the fingerprint of the request.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_model::{Failure, Refusal, code};

use crate::{
    http::contract::Contract,
    identity::{ActorKind, Identity},
    state::db::LaneKey,
};

pub(super) const HEADER: &str = "Idempotency-Key";
const MAX: usize = 255;

/// The key in a header. The IETF draft writes it as a quoted string, so one pair of quotes is not part of it.
pub(super) fn key(header: Option<&str>) -> Result<&str, Refusal> {
    let Some(text) = header else {
        return Err(code::IDEMPOTENCY_KEY_REQUIRED.refusal());
    };
    let key = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if key.is_empty() || key.len() > MAX || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(code::invalid_parameter(HEADER, format!("must be 1 to {MAX} visible ASCII characters")));
    }
    Ok(key)
}

/// The actor in the workspace (or in the subject's own account), the operation, and the key.
pub(super) fn scope(contract: &Contract, identity: &Identity, key: &str) -> [u8; 32] {
    // What belongs to a grant is not shown to another one, not even of the same actor.
    let grant = contract.is_of_grant.then_some(identity.grant_id.as_str());
    scope_of(contract.surface.name, identity, contract.id, key, grant)
}

fn scope_of(surface: &str, identity: &Identity, operation: &str, key: &str, grant: Option<&str>) -> [u8; 32] {
    let actor = identity.actor.as_ref();
    let actor = actor.map(|actor| format!("{} {}", stored_name(actor.kind), actor.id)).unwrap_or_default();
    let workspace = identity.workspace_id.map(|id| id.to_string()).unwrap_or_default();
    // Usually not the grant: after a new sign-in the same person retries with another token.
    let parts = [surface, &identity.subject, &actor, &workspace, operation, key];
    hash(parts.into_iter().chain(grant).map(str::as_bytes))
}

/// Part of the stored hash: with another text, every key of the last 24 hours would be forgotten.
fn stored_name(kind: ActorKind) -> &'static str {
    match kind {
        ActorKind::User => "User",
        ActorKind::Agent => "Agent",
        ActorKind::Service => "Service",
    }
}

/// The lane of the workspace, or of the subject's own account.
pub(super) fn lane(identity: &Identity) -> LaneKey {
    match identity.workspace_id {
        Some(id) => LaneKey::for_workspace(id),
        None => LaneKey::from_name(identity.subject.as_bytes()),
    }
}

/// The operation, the path's parameters, and the canonical body (sorted members, no white space). No body counts as
/// an empty object.
pub(super) fn fingerprint(operation: &str, path: &[&str], body: Option<&Value>) -> Result<[u8; 32], Failure> {
    let body = match body {
        Some(body) => serde_json::to_vec(body)?,
        None => b"{}".to_vec(),
    };
    let path = path.iter().map(|value| value.as_bytes());
    Ok(hash(std::iter::once(operation.as_bytes()).chain(path).chain(std::iter::once(body.as_slice()))))
}

pub(super) fn lock_key(scope: [u8; 32]) -> String {
    format!("once:{}", hex::encode(scope))
}

/// SHA-256 over the parts.
fn hash<'a>(parts: impl Iterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        // With lengths, no two lists of parts have the same hash input.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shared_model::{Timestamp, json};

    use super::*;
    use crate::identity::Actor;

    fn of(text: &str) -> [u8; 32] {
        let body = Value::Object(json::parse_object(text.as_bytes()).expect("an object"));
        fingerprint("create", &["file_1"], Some(&body)).expect("a fingerprint")
    }

    fn somebody(subject: &str, workspace_id: Option<i64>) -> Identity {
        Identity {
            subject: subject.to_owned(),
            grant_id: "grant".to_owned(),
            scopes: Vec::new(),
            expires_at: Timestamp::from_seconds(0),
            workspace_id,
            actor: None,
            grant_kind: None,
        }
    }

    #[test]
    fn a_key_is_visible_ascii_and_its_quotes_do_not_count() {
        assert_eq!(key(Some("a-1")).expect("a key"), "a-1");
        assert_eq!(key(Some("\"a-1\"")).expect("a key"), "a-1");
        assert_eq!(key(Some("\"\"a\"\"")).expect("a key"), "\"a\"");
        assert_eq!(key(Some(&"k".repeat(255))).expect("a key").len(), 255);
        assert_eq!(key(None).expect_err("refused").code, &code::IDEMPOTENCY_KEY_REQUIRED);
        for bad in ["", "\"\"", "a b", "a\tb", "\u{7f}", &"k".repeat(256)] {
            assert_eq!(key(Some(bad)).expect_err("refused").code, &code::INVALID_REQUEST, "{bad:?}");
        }
    }

    #[test]
    fn order_and_blanks_do_not_make_another_request() {
        assert_eq!(
            of(r#"{"a":1,"b":{"c":[1,2],"d":"x"}}"#),
            of(" {\"b\": {\"d\":\"\\u0078\", \"c\":[1, 2]},\n\"a\": 1}")
        );
    }

    #[test]
    fn anything_else_makes_another_request() {
        let base = of(r#"{"a":[1,2]}"#);
        for other in [r#"{"a":[2,1]}"#, r#"{"a":[1,2],"b":null}"#, r#"{"a":["1",2]}"#, "{}"] {
            assert_ne!(of(other), base, "{other}");
        }
        let none = fingerprint("create", &["file_1"], None).expect("a fingerprint");
        assert_eq!(none, of("{}"));
        assert_ne!(none, fingerprint("create", &["file_2"], None).expect("a fingerprint"));
        assert_ne!(none, fingerprint("apply", &["file_1"], None).expect("a fingerprint"));
        assert_ne!(none, fingerprint("create", &["file", "_1"], None).expect("a fingerprint"));
    }

    #[test]
    fn a_key_belongs_to_one_subject_in_one_workspace_for_one_operation() {
        let base = scope_of("cloud", &somebody("ada", Some(1)), "create", "k", None);
        let same_person_by_another_grant = Identity { grant_id: "new".to_owned(), ..somebody("ada", Some(1)) };
        assert_eq!(scope_of("cloud", &same_person_by_another_grant, "create", "k", None), base);
        for other in [
            scope_of("locker", &somebody("ada", Some(1)), "create", "k", None),
            scope_of("cloud", &somebody("bob", Some(1)), "create", "k", None),
            scope_of("cloud", &somebody("ada", Some(2)), "create", "k", None),
            scope_of("cloud", &somebody("ada", None), "create", "k", None),
            scope_of("cloud", &somebody("ada", Some(1)), "apply", "k", None),
            scope_of("cloud", &somebody("ada", Some(1)), "create", "K", None),
        ] {
            assert_ne!(other, base);
        }
        assert_ne!(scope_of("cloud", &somebody("ada", Some(1)), "create", "k", Some("grant")), base);
    }

    #[test]
    fn the_stored_scope_of_each_kind_of_actor_never_changes() {
        for (kind, hash) in [
            (ActorKind::User, "922cc945c7c31e54b5e906b87c45bf5bb0d0bd356b40a7f3cc64642d908e39f0"),
            (ActorKind::Agent, "75856c01eeda089baa9019c4be89bee195a88d8a44c85891912f17f7651c45d4"),
            (ActorKind::Service, "5a4d121d4b0bdefe0eebd46d6a119a0f2d2e83a38f672ea47f3ec921f54637b9"),
        ] {
            let actor = Some(Actor { kind, id: "7".to_owned(), display_name: "Ada".to_owned() });
            let identity = Identity { actor, ..somebody("ada", Some(1)) };
            assert_eq!(hex::encode(scope_of("cloud", &identity, "create", "k", None)), hash, "{kind:?}");
        }
    }

    proptest! {
        #[test]
        fn members_in_any_order_are_one_request(members in proptest::collection::hash_map("[a-z]{1,6}", any::<i32>(), 0..8)) {
            let one: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
            let other: Vec<String> = one.iter().rev().map(|member| format!(" {} ", member.replace(':', " : "))).collect();
            prop_assert_eq!(of(&format!("{{{}}}", one.join(","))), of(&format!("{{{}}}", other.join(","))));
        }
    }
}
