//! The writer compared with the examples of RFC 8785 and with the reference implementation.

use proptest::prelude::*;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::*;

fn canonical(json: &str) -> String {
    value_text(&serde_json::from_str(json).expect("JSON"))
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
fn members_are_sorted_as_utf_16_like_in_rfc_8785_section_3_2_3() {
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
        assert_eq!(value_text(&object), format!("{{\"n\":{expected}}}"), "{bits:016x}");
        // Reading the shortest decimal text gives the same double.
        assert_eq!(canonical(&format!("{{\"n\":{expected}}}")), format!("{{\"n\":{expected}}}"));
    }
}

#[test]
fn an_integer_of_more_than_53_bits_is_written_as_the_double_that_it_is_read_as() {
    for (integer, text) in [(MAX_INTEGER, "9007199254740991"), (9_007_199_254_740_993, "9007199254740992")] {
        assert_eq!((value_text(&json!(integer)), value_text(&json!(-integer))), (text.to_owned(), format!("-{text}")));
    }
}

#[test]
fn every_ascii_character_is_escaped_as_by_the_reference_implementation() {
    // Arbitrary text rarely has the few characters with an escape of their own.
    for c in '\0'..='\u{7f}' {
        let reference = serde_json_canonicalizer::to_string(&c).expect("a character");
        assert_eq!(value_text(&json!(c)), reference);
    }
}

/// What `scripts/doubles.mjs` prints: the hash of 40 000 doubles as ECMAScript itself writes them.
const DOUBLES_OF_ECMASCRIPT: &str = "23a9d1e585988e9b546fe47133c89a25adee8b20e446ba98d7d1215497ebdab0";

#[test]
fn forty_thousand_doubles_are_written_as_ecmascript_writes_them() {
    let mut block: [u8; 32] = Sha256::digest("doubles").into();
    let (mut lines, mut count) = (Sha256::new(), 0);
    while count < 40_000 {
        for word in block.as_chunks().0 {
            let bits = u64::from_be_bytes(*word);
            let usual = bits & 0x800f_ffff_ffff_ffff | (959 + (bits >> 52 & 127)) << 52;
            for number in [bits, usual].map(f64::from_bits).into_iter().filter(|number| number.is_finite()) {
                if count < 40_000 {
                    lines.update(value_text(&json!(number)));
                    lines.update("\n");
                    count += 1;
                }
            }
        }
        block = Sha256::digest(block).into();
    }
    // Only the hash is kept. Where it differs, `scripts/doubles.mjs --lines` tells which numbers do.
    assert_eq!(hex::encode(lines.finalize()), DOUBLES_OF_ECMASCRIPT);
}

/// Any JSON value whose numbers every reader reads alike.
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

/// JSON text of `value` with blanks, and with the members of every object in another order.
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

/// Any JSON value, also with numbers that need more than 53 bits and names beyond ASCII.
fn anything() -> impl Strategy<Value = Value> {
    let name = prop_oneof![any::<String>(), "[\u{0}-\u{ff}\u{d7f0}-\u{d7ff}\u{e000}-\u{10ffff}]{0,3}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (any::<i64>(), 0u32..64).prop_map(|(integer, shift)| Value::from(integer >> shift)),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(|bits| Value::from(f64::from_bits(bits))),
        name.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map(name.clone(), inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn the_text_is_that_of_the_reference_implementation(value in anything()) {
        let object = json!({ "value": value });
        let reference = serde_json_canonicalizer::to_string(&object).expect("unique names, finite numbers");
        prop_assert_eq!(value_text(&object), reference);
    }

    #[test]
    fn the_order_of_members_and_blanks_do_not_change_the_text(value in any_value(), turn in 0usize..7) {
        let value = json!({ "z": value, "a": 1, "m": {} });
        let plain = object_text(value.as_object().expect("an object"));
        prop_assert_eq!(canonical(&reordered(&value, turn)), plain.clone());
        prop_assert_eq!(canonical(&plain), plain);
    }
}
