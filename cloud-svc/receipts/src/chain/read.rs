//! Reads a line: a statement whose signature holds.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::Signature;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use shared_model::json;

use crate::keys::Keys;

/// A place in a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub sequence: i64,
    /// Of the statement; `None` before the first.
    pub sha256: Option<String>,
}

impl Link {
    pub const START: Self = Self { sequence: 0, sha256: None };
}

/// A statement whose signature holds.
pub struct Line {
    statement: Map<String, Value>,
    pub sha256: String,
}

impl Line {
    pub fn read(line: &[u8], keys: &Keys) -> Result<Self, String> {
        let mut object = json::parse_object(line).map_err(|json::MalformedJson(rule)| rule)?;
        let (statement, signature) = (object.remove("statement"), object.remove("signature"));
        let (Some(Value::Object(statement)), Some(Value::String(signature))) = (statement, signature) else {
            return Err("must have a statement and a signature".to_owned());
        };
        // What is outside of the statement is not signed.
        if !object.is_empty() {
            return Err("has members that are not signed".to_owned());
        }
        // Written again, because whitespace and the order of members are not signed.
        let text = canonical_json::object_text(&statement);
        let line = Self { statement, sha256: hex::encode(Sha256::digest(text.as_bytes())) };
        let key_id = line.text("key_id")?;
        let key = keys.get(key_id).ok_or_else(|| format!("no key {key_id:?} is given"))?;
        let signature = BASE64_STANDARD.decode(signature).ok().and_then(|bytes| Signature::from_slice(&bytes).ok());
        let signature = signature.ok_or("the signature is not base64 of 64 bytes")?;
        // Strict: each statement then has one signature under a key, so a changed one never holds.
        key.verify_strict(text.as_bytes(), &signature).map_err(|_| "the signature does not hold")?;
        Ok(line)
    }

    pub fn kind(&self) -> Result<&str, String> {
        self.text("type")
    }

    pub fn sequence(&self) -> Result<i64, String> {
        self.statement.get("sequence").and_then(Value::as_i64).ok_or_else(|| "must have a sequence".to_owned())
    }

    pub fn text(&self, member: &str) -> Result<&str, String> {
        self.statement.get(member).and_then(Value::as_str).ok_or_else(|| format!("must have a text {member}"))
    }

    /// `None` for null.
    pub fn optional(&self, member: &str) -> Result<Option<&str>, String> {
        match self.statement.get(member) {
            Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            _ => Err(format!("must have {member}, a text or null")),
        }
    }
}

/// The last receipt, as a head names it.
pub fn link_of_head(head: &Line) -> Result<Link, String> {
    Ok(Link { sequence: head.sequence()?, sha256: head.optional("receipt_sha256")?.map(str::to_owned) })
}
