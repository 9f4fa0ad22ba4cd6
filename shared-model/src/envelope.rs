//! The JSON around the payload of a successful answer.

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// Cloud: the payload's members at the top level, with `request_id` and, for a replay, `replayed`.
    TopLevel,
    /// Locker, Orders, Trust: `{"data": payload, "meta": {"request_id", "next_cursor"?, "replayed"?}}`.
    DataMeta,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Meta<'a> {
    pub request_id: &'a str,
    /// `None`: not a list. `Some(None)`: the last page of a list.
    pub next_cursor: Option<Option<&'a str>>,
    /// True when the answer repeats that of an earlier request with the same idempotency key.
    pub replayed: bool,
}

impl Envelope {
    /// Wraps JSON text. For [`Self::TopLevel`] it must be an object.
    pub fn wrap(self, payload: &str, meta: Meta<'_>) -> String {
        // The payload is not parsed again: a stored answer must be replayed byte for byte, and parsing costs time.
        let mut out = String::with_capacity(payload.len() + 160);
        match self {
            Self::TopLevel => {
                let members = payload.strip_suffix('}').expect("a top-level payload is an object");
                out.push_str(members);
                if members.len() > 1 {
                    out.push(',');
                }
                meta.write(&mut out);
            }
            Self::DataMeta => {
                out.push_str("{\"data\":");
                out.push_str(payload);
                out.push_str(",\"meta\":{");
                meta.write(&mut out);
                out.push('}');
            }
        }
        out.push('}');
        out
    }
}

impl Meta<'_> {
    fn write(&self, out: &mut String) {
        // A request id is `req_` and hexadecimal digits: nothing to escape.
        out.push_str("\"request_id\":\"");
        out.push_str(self.request_id);
        out.push('"');
        if let Some(cursor) = self.next_cursor {
            out.push_str(",\"next_cursor\":");
            out.push_str(&cursor.map_or(Value::Null, Value::from).to_string());
        }
        if self.replayed {
            out.push_str(",\"replayed\":true");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shapes() {
        let meta = Meta { request_id: "req_1", next_cursor: Some(Some("abc")), replayed: true };
        assert_eq!(
            Envelope::DataMeta.wrap("[1]", meta),
            r#"{"data":[1],"meta":{"request_id":"req_1","next_cursor":"abc","replayed":true}}"#
        );
        let meta = Meta { request_id: "req_1", ..Meta::default() };
        assert_eq!(Envelope::TopLevel.wrap(r#"{"file":{}}"#, meta), r#"{"file":{},"request_id":"req_1"}"#);
        assert_eq!(Envelope::TopLevel.wrap("{}", meta), r#"{"request_id":"req_1"}"#);
    }
}
