//! Messages between a log and its witnesses.

use proptest::prelude::*;

use super::fixture::{NOW, receipts, signed, witness};
use crate::{
    merkle::EMPTY_ROOT,
    tlog::witness::{AddCheckpoint, parse_cosignatures, parse_size, print_cosignatures, print_size},
};

/// The request in C2SP tlog-witness.
const REQUEST: &str = "old 20852014\n\
     PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n\
     jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n\
     5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=\n\
     /6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=\n\
     \n\
     example.com/behind-the-sofa\n\
     20852163\n\
     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\
     \n\
     — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\
     — example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=\n";

#[test]
fn the_request_of_the_specification_is_read() {
    let request = AddCheckpoint::parse(REQUEST.as_bytes()).expect("a request");
    assert_eq!((request.old_size, request.consistency.len()), (20_852_014, 4));
    assert_eq!(request.checkpoint.checkpoint().size(), 20_852_163);
    assert_eq!(request.to_string(), REQUEST);
}

#[test]
fn a_malformed_request_is_refused_with_its_rule() {
    for (from, to, rule) in [
        ("old 20852014", "20852014", "the first line must be old <size>"),
        ("old 20852014", "old 020852014", "decimal digits"),
        ("old 20852014", "old 20852164", "at most that of the checkpoint, 20852163"),
        ("PlRN", "\nPlRN", "the size of a checkpoint"),
        ("PlRN", "PlR", "a hash must be 32 bytes"),
        ("\n20852163\n", "\n-1\n", "the size of a checkpoint"),
    ] {
        let error = AddCheckpoint::parse(REQUEST.replacen(from, to, 1).as_bytes()).expect_err(rule).to_string();
        assert!(error.contains(rule), "{to}: {error}");
    }
    assert!(AddCheckpoint::parse(&vec![b'a'; 300_000]).expect_err("long").to_string().contains("266240 bytes"));
    let again = REQUEST.replacen("old 20852014", "old 20852163", 1);
    assert_eq!(AddCheckpoint::parse(again.as_bytes()).map(|request| request.old_size), Ok(20_852_163));
    let line = "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n";
    let long = REQUEST.replace(line, &line.repeat(61));
    assert!(AddCheckpoint::parse(long.as_bytes()).expect_err("64 hashes").to_string().contains("at most 63"));
}

#[test]
fn cosignatures_are_added_to_the_checkpoint() {
    let checkpoint = signed(0, EMPTY_ROOT);
    let cosignatures = [witness(1), witness(2)].map(|witness| witness.cosign(checkpoint.note().text(), NOW));
    let body = print_cosignatures(&cosignatures);
    assert_eq!(body.lines().count(), 2);
    let read = parse_cosignatures(body.as_bytes()).expect("signatures");
    assert_eq!(read, cosignatures);
    let keys = [witness(1).verifier_key().clone(), witness(2).verifier_key().clone()];
    assert_eq!(checkpoint.with(read).expect("a note").note().open(&keys).expect("cosigned").len(), 2);
    for body in ["", "\n", "— a AAAAAAA=", "— a AAAAAAA=\n\n", "a\n"] {
        assert!(parse_cosignatures(body.as_bytes()).is_err(), "{body:?}");
    }
}

#[test]
fn a_size_is_a_line() {
    assert_eq!(parse_size(print_size(20_852_163).as_bytes()), Ok(20_852_163));
    assert_eq!(parse_size(b"0\n"), Ok(0));
    for body in ["", "0", "\n", "01\n", "1\n\n", "9223372036854775808\n", &"1".repeat(40)] {
        assert!(parse_size(body.as_bytes()).is_err(), "{body:?}");
    }
}

proptest! {
    #[test]
    fn an_altered_request_has_its_own_spelling(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let receipt = receipts(6).swap_remove(4);
        let request = AddCheckpoint { old_size: 4, consistency: receipt.path, checkpoint: receipt.checkpoint };
        let mut bytes = request.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = AddCheckpoint::parse(&bytes) {
            prop_assert_eq!(read.to_string().into_bytes(), bytes);
        }
    }
}
