//! Strict JSON: one value, no duplicate members, bounded nesting, nothing after the end.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::limits::JSON_DEPTH;

/// The rule that is broken ("must be …") and the position, never the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedJson(pub String);

pub fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, MalformedJson> {
    match parse(bytes)? {
        Value::Object(map) => Ok(map),
        _ => Err(MalformedJson("must be one JSON object".to_owned())),
    }
}

/// Parses one JSON value: UTF-8, no duplicate member names, at most [`JSON_DEPTH`] levels, nothing after it.
pub fn parse(bytes: &[u8]) -> Result<Value, MalformedJson> {
    let text = std::str::from_utf8(bytes).map_err(|_| MalformedJson("must be UTF-8".to_owned()))?;
    // Named separately: editors add it invisibly, and "must be valid JSON" would not help.
    if text.starts_with('\u{feff}') {
        return Err(MalformedJson("must not begin with a byte order mark".to_owned()));
    }
    let mut input = serde_json::Deserializer::from_str(text);
    let value = Strict { depth: 0 }.deserialize(&mut input).map_err(|error| rule(&error))?;
    input.end().map_err(|_| MalformedJson("must have nothing after the JSON object".to_owned()))?;
    Ok(value)
}

// serde_json quotes content only in errors of the category `Data`. Those are our own rules here, which quote nothing.
fn rule(error: &serde_json::Error) -> MalformedJson {
    let what = match error.classify() {
        serde_json::error::Category::Eof => "must not end before the JSON is complete".to_owned(),
        serde_json::error::Category::Data => {
            let text = error.to_string();
            text.split(" at line ").next().unwrap_or("must be valid JSON").to_owned()
        }
        _ => "must be valid JSON".to_owned(),
    };
    MalformedJson(format!("{what} (line {}, column {})", error.line(), error.column()))
}

struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: serde::de::Error>(&self) -> Result<Self, E> {
        if self.depth == JSON_DEPTH {
            return Err(E::custom(format_args!("must nest at most {JSON_DEPTH} levels")));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        Number::from_f64(number).map(Value::Number).ok_or_else(|| E::custom("must have finite numbers only"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self.deeper()?)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            // Parsers disagree about which duplicate counts. An attacker could show one value to a proxy and another to
            // us.
            if map.contains_key(&name) {
                return Err(A::Error::custom("must have unique member names"));
            }
            let value = members.next_value_seed(self.deeper()?)?;
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_object_and_nothing_else() {
        assert!(parse_object(b"{}").is_ok());
        assert!(parse_object(b" {\"a\": [1, {\"a\": 2}]} \n").is_ok());
        for text in [
            "",
            "[]",
            "null",
            "{}{}",
            "{} x",
            "{\"a\":1,\"a\":2}",
            "{\"a\":{\"b\":1,\"\\u0062\":2}}",
            "{\"a\":1e999}",
            "{'a':1}",
            "{\"a\":NaN}",
            "{\"a\":1,}",
        ] {
            assert!(parse_object(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse_object(b"{\"a\":\"\xff\"}").is_err());
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse_object(nested(JSON_DEPTH - 1).as_bytes()).is_ok());
        assert!(parse_object(nested(JSON_DEPTH + 1).as_bytes()).is_err());
        assert!(parse_object(nested(200).as_bytes()).is_err());
        assert!(parse_object(nested(100_000).as_bytes()).is_err());
    }

    #[test]
    fn a_byte_order_mark_is_named() {
        let MalformedJson(rule) = parse_object("\u{feff}{}".as_bytes()).expect_err("not valid");
        assert_eq!(rule, "must not begin with a byte order mark");
    }

    #[test]
    fn every_kind_of_value_is_read() {
        let text = r#"{"a": [null, true, false, "é", "\u00e9\n", -1, 18446744073709551615, 0.1, [], {"b": ""}]}"#;
        assert_eq!(parse(text.as_bytes()), Ok(serde_json::from_str(text).expect("JSON")));
    }

    #[test]
    fn the_reason_is_a_rule_and_quotes_no_content() {
        for (text, expected) in [
            (r#"{"secret": tru}"#, "must be valid JSON (line 1, column 15)"),
            (r#"{"secret":"#, "must not end before the JSON is complete (line 1, column 10)"),
            ("{\"secret\": 1,\n\"secret\": 2}", "must have unique member names (line 2, column 8)"),
        ] {
            assert_eq!(parse(text.as_bytes()), Err(MalformedJson(expected.to_owned())));
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn json_written_by_serde_is_read_back(names in proptest::collection::btree_set("\\PC{0,8}", 0..6), number in any::<i64>()) {
            let map: Map<String, Value> = names.into_iter().map(|name| (name, Value::from(number))).collect();
            prop_assert_eq!(parse_object(&serde_json::to_vec(&map).expect("JSON")), Ok(map));
        }
    }
}
