//! The JSON around a successful answer's payload (spec: response envelopes).

use serde_json::Value;

/// The two shapes of a successful answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// Cloud: the payload's members at the top level, then `request_id` and, on a replay, `replayed`.
    TopLevel,
    /// Locker, Orders, Trust: `{"data": payload, "meta": {"request_id", "next_cursor"?, "replayed"?}}`.
    DataMeta,
}

/// What an envelope adds to a payload.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meta<'a> {
    /// Correlates the request.
    pub request_id: &'a str,
    /// The cursor of a list: `None` where the answer is no list, `Some(None)` on the last page.
    pub next_cursor: Option<Option<&'a str>>,
    /// Whether the answer is that of an earlier request with the same idempotency key.
    pub replayed: bool,
}

impl Envelope {
    /// Wraps a payload, already JSON text, without parsing it again. For [`Self::TopLevel`] it must be an object.
    pub fn wrap(self, payload: &str, meta: Meta<'_>) -> String {
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
