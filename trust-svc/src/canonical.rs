//! Canonical JSON (RFC 8785) and its SHA-256: one event has one hash, however its members are ordered and spaced.

use std::str::FromStr;

use diesel::{deserialize::FromSqlRow, expression::AsExpression};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use shared_model::JsonReader;

/// The largest integer that every JSON implementation reads alike (RFC 7493 §2.2).
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// The canonical text of an object.
pub fn text(object: &Map<String, Value>) -> String {
    serde_json_canonicalizer::to_string(object).expect("member names are unique text and numbers are finite")
}

/// Refuses every number that two implementations could read differently, and so hash differently: RFC 8785 writes
/// numbers as IEEE doubles do, and beyond 2^53 - 1 these cannot tell an integer from its neighbours (RFC 7493 §2.2).
pub fn check_numbers(reader: &JsonReader<'_>) -> Option<()> {
    match reader.value() {
        Value::Number(number) => {
            let is_exact = match number.as_i64() {
                Some(integer) => (-MAX_INTEGER..=MAX_INTEGER).contains(&integer),
                // What is neither an i64 nor a u64 was parsed as a double.
                None => number.as_f64().is_some_and(|double| double.abs() <= MAX_INTEGER as f64),
            };
            if is_exact { Some(()) } else { reader.refuse("must be a number from -(2^53 - 1) to 2^53 - 1") }
        }
        Value::Array(_) => reader.array(0..=usize::MAX, check_numbers).map(|_| ()),
        Value::Object(_) => reader.entries(usize::MAX, |_, member| check_numbers(member)).map(|_| ()),
        Value::Null | Value::Bool(_) | Value::String(_) => Some(()),
    }
}

/// The SHA-256 of an event's canonical text, written `sha256:` + 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = diesel::sql_types::Text)]
pub struct EventHash([u8; 71]);

impl EventHash {
    /// The hash of an event whose canonical text this is.
    pub fn of(canonical: &str) -> Self {
        let mut text = [0; 71];
        let (scheme, digits) = text.split_at_mut(7);
        scheme.copy_from_slice(b"sha256:");
        hex::encode_to_slice(Sha256::digest(canonical.as_bytes()), digits).expect("64 digits hold 32 bytes");
        Self(text)
    }

    /// The hash as clients see it.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a hash is ASCII")
    }
}

impl FromStr for EventHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match (text.as_bytes().try_into(), text.strip_prefix("sha256:")) {
            (Ok(bytes), Some(digits)) if digits.bytes().all(is_digit) => Ok(Self(bytes)),
            _ => Err("must be sha256: and 64 lowercase hex digits"),
        }
    }
}

// The example is the hash of the event that the document shows.
shared_model::text_column!(EventHash);
shared_model::text_in_json!(
    EventHash,
    ["`sha256:` + the SHA-256 of an event's canonical JSON."],
    pattern = "^sha256:[0-9a-f]{64}$",
    example = "sha256:2b5cc547bf383242910e722537265290659fe121cdbf6ad8db9fbf7d5a8a8c8b",
    rule = "must be sha256: and 64 lowercase hex digits"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use shared_model::{json::parse_object, json_reader::read_with};

    use super::*;

    fn canonical(json: &str) -> String {
        text(&parse_object(json.as_bytes()).expect("an object"))
    }

    #[test]
    fn the_example_of_rfc_8785_section_3_2() {
        let input = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let expected = concat!(
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
            r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        );
        assert_eq!(canonical(input), expected);
    }

    #[test]
    fn members_are_sorted_by_utf_16_as_in_rfc_8785_section_3_2_3() {
        let input = r#"{
            "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
            "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
        }"#;
        let expected = concat!(
            r#"{"\r":"Carriage Return","1":"One","#,
            "\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",",
            "\"😀\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}"
        );
        assert_eq!(canonical(input), expected);
    }

    /// RFC 8785 appendix B: the double with these bits has this one text.
    const DOUBLES: &[(u64, &str)] = &[
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ];

    #[test]
    fn the_numbers_of_rfc_8785_appendix_b() {
        for (bits, expected) in DOUBLES {
            let object = json!({ "n": f64::from_bits(*bits) });
            let object = object.as_object().expect("an object");
            assert_eq!(text(object), format!("{{\"n\":{expected}}}"), "{bits:016x}");
            // Its shortest decimal text leads back to the same double.
            assert_eq!(canonical(&format!("{{\"n\":{expected}}}")), format!("{{\"n\":{expected}}}"));
        }
    }

    #[test]
    fn a_number_that_two_readers_could_take_for_two_is_refused_at_its_place() {
        let value = json!({
            "ok": [9_007_199_254_740_991_i64, -9_007_199_254_740_991_i64, 0.1, 1.5e-300, -0.0],
            "a": [1, {"b": 9_007_199_254_740_992_u64}], "c": -9_007_199_254_740_993_i64, "d": u64::MAX, "e": 1e21,
        });
        let problems = read_with(&value, check_numbers).expect_err("four numbers");
        let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(places, ["/a/1/b", "/c", "/d", "/e"]);
    }

    /// Any JSON value that [`check_numbers`] lets pass.
    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-MAX_INTEGER..=MAX_INTEGER).prop_map(Value::from),
            (-1e15..1e15_f64).prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::btree_map("\\PC{0,6}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// JSON text of `value` with the members of every object in another order, turned by `turn`.
    fn reordered(value: &Value, turn: usize) -> String {
        match value {
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| reordered(item, turn)).collect();
                format!("[ {} ]", items.join(" ,\n"))
            }
            Value::Object(map) => {
                let mut members: Vec<_> = map
                    .iter()
                    .map(|(name, value)| format!("{} :\t{}", Value::from(name.as_str()), reordered(value, turn)))
                    .collect();
                let by = turn % members.len().max(1);
                members.rotate_left(by);
                if turn % 2 == 1 {
                    members.reverse();
                }
                format!("{{ {} }}", members.join(", "))
            }
            other => other.to_string(),
        }
    }

    proptest! {
        #[test]
        fn the_order_of_members_and_blanks_do_not_change_the_hash(value in any_value(), turn in 0usize..7) {
            let value = json!({ "z": value, "a": 1, "m": {} });
            let plain = text(value.as_object().expect("an object"));
            prop_assert_eq!(canonical(&reordered(&value, turn)), plain.clone());
            prop_assert_eq!(canonical(&plain), plain);
        }

        #[test]
        fn a_hash_has_one_spelling(event in "\\PC{0,20}", other in "(sha256:)?[0-9a-fA-F]{60,68}") {
            let hash = EventHash::of(&event);
            prop_assert_eq!(hash.to_string().parse(), Ok(hash));
            if let Ok(parsed) = other.parse::<EventHash>() {
                prop_assert_eq!(parsed.to_string(), other);
            }
        }
    }
}
