use ed25519_dalek::SigningKey;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::signer::{Signed, Signer};

fn signer(seed: u8) -> Signer {
    Signer::new(SigningKey::from_bytes(&[seed; 32]))
}

fn keys(signers: &[&Signer]) -> Keys {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    let key = |signer: &&Signer| json!({"key_id": signer.key_id(), "public_key": BASE64_STANDARD.encode(signer.public_key())});
    let text = json!({"keys": signers.iter().map(key).collect::<Vec<_>>()}).to_string();
    Keys::parse(text.as_bytes()).expect("keys")
}

fn receipt(signer: &Signer, sequence: i64, previous: Option<&Signed>, decision: &str) -> Signed {
    signer.sign(&json!({
        "type": RECEIPT, "workspace_id": "ws_1", "sequence": sequence, "decision": decision, "name": "Ä \u{1f600}",
        "previous": previous.map(|receipt| &receipt.sha256), "key_id": signer.key_id(),
    }))
}

fn head(signer: &Signer, receipts: &[Signed]) -> Signed {
    signer.sign(&json!({
        "type": HEAD, "workspace_id": "ws_1", "sequence": receipts.len(), "at": "2026-11-25T00:00:00Z",
        "receipt_sha256": receipts.last().map(|receipt| &receipt.sha256), "key_id": signer.key_id(),
    }))
}

/// Receipts whose first half has another key than the second.
fn chain(count: i64) -> Vec<Signed> {
    let mut receipts: Vec<Signed> = Vec::new();
    for sequence in 1..=count {
        let signer = signer(if sequence * 2 <= count { 1 } else { 2 });
        receipts.push(receipt(&signer, sequence, receipts.last(), "applied"));
    }
    receipts
}

fn both() -> Keys {
    keys(&[&signer(1), &signer(2)])
}

fn lines(receipts: &[Signed], head: &Signed) -> Vec<String> {
    receipts.iter().chain([head]).map(Signed::line).collect()
}

fn check(lines: &[String]) -> Result<Verified, String> {
    verify(format!("{}\n", lines.join("\n")).as_bytes(), &both(), &[])
}

#[test]
fn a_chain_across_a_rotation_of_keys_holds() {
    let receipts = chain(6);
    let verified = check(&lines(&receipts, &head(&signer(2), &receipts))).expect("it holds");
    assert_eq!((verified.workspace_id.as_str(), verified.receipts), ("ws_1", 6));
    let empty = head(&signer(1), &[]);
    assert_eq!(check(&lines(&[], &empty)).expect("an empty chain").receipts, 0);
    assert!(verify(&b""[..], &both(), &[]).expect_err("nothing").contains("head is missing"));
}

#[test]
fn every_flipped_bit_is_found() {
    let receipts = chain(3);
    let text = format!("{}\n", lines(&receipts, &head(&signer(2), &receipts)).join("\n")).into_bytes();
    let keys = both();
    assert!(verify(&*text, &keys, &[]).is_ok());
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut flipped = text.clone();
            flipped[at] ^= 1 << bit;
            assert!(verify(&*flipped, &keys, &[]).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn each_receipt_that_is_left_out_swapped_or_repeated_is_found() {
    let receipts = chain(6);
    let all = lines(&receipts, &head(&signer(2), &receipts));
    for one in 0..all.len() {
        let mut without = all.clone();
        without.remove(one);
        assert!(check(&without).is_err(), "without {one}");
        let mut twice = all.clone();
        twice.insert(one, all[one].clone());
        assert!(check(&twice).is_err(), "twice {one}");
        for other in one + 1..all.len() {
            let mut swapped = all.clone();
            swapped.swap(one, other);
            assert!(check(&swapped).is_err(), "{one} and {other}");
        }
    }
}

#[test]
fn a_history_that_was_signed_again_contradicts_an_earlier_head() {
    let receipts = chain(6);
    let earlier = head(&signer(2), &receipts[..4]).line().into_bytes();
    let all = lines(&receipts, &head(&signer(2), &receipts)).join("\n");
    assert!(verify(all.as_bytes(), &both(), std::slice::from_ref(&earlier)).is_ok());
    let mut other: Vec<Signed> = Vec::new();
    for sequence in 1..=6 {
        other.push(receipt(&signer(2), sequence, other.last(), "rejected"));
    }
    let forged = lines(&other, &head(&signer(2), &other)).join("\n");
    assert!(verify(forged.as_bytes(), &both(), &[]).is_ok(), "without the head it holds");
    let found = verify(forged.as_bytes(), &both(), std::slice::from_ref(&earlier)).expect_err("the head shows it");
    assert!(found.starts_with("line 4: "), "{found}");
    let short = lines(&receipts[..3], &head(&signer(2), &receipts[..3])).join("\n");
    assert!(verify(short.as_bytes(), &both(), &[earlier]).is_err(), "the last receipts are gone");
}

#[test]
fn earlier_heads_are_heads_that_agree() {
    let receipts = chain(4);
    let head_of = |receipts: &[Signed]| head(&signer(2), receipts).line().into_bytes();
    let all = lines(&receipts, &head(&signer(2), &receipts)).join("\n");
    let check = |seen: &[Vec<u8>]| verify(all.as_bytes(), &both(), seen).map(|verified| verified.receipts);
    let other = receipt(&signer(2), 1, None, "rejected");
    // Somebody who asks twice has the same head twice.
    assert_eq!(check(&[head_of(&receipts[..1]), head_of(&receipts[..1]), head_of(&receipts)]), Ok(4));
    for (seen, rule) in [
        (vec![receipts[0].line().into_bytes()], "earlier head 1: is not a head"),
        (vec![head_of(&receipts[..1]), head_of(&[other])], "earlier head 2: contradicts another earlier head"),
        (vec![head_of(&chain(5))], "an earlier head names 5 receipts, and here are 4"),
    ] {
        assert_eq!(check(&seen), Err(rule.to_owned()));
    }
}

#[test]
fn keys_that_are_unknown_weak_or_misnamed_are_refused() {
    let receipts = chain(2);
    let text = lines(&receipts, &head(&signer(2), &receipts)).join("\n");
    let found = verify(text.as_bytes(), &keys(&[&signer(2)]), &[]).expect_err("the first key is unknown");
    assert!(found.contains("line 1: no key"), "{found}");
    for entry in [
        json!({"public_key": "AAAA"}),
        json!({"public_key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}),
        json!({"key_id": signer(1).key_id(), "public_key": "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="}),
        json!({}),
    ] {
        assert!(Keys::parse(json!({"keys": [entry]}).to_string().as_bytes()).is_err(), "{entry}");
    }
    assert!(Keys::parse(b"{\"keys\": []}").is_err() && Keys::parse(b"{}").is_err());
}

#[test]
fn a_statement_of_another_type_or_workspace_is_refused() {
    let one = signer(1);
    let other = one.sign(&json!({"type": "x", "workspace_id": "ws_1", "sequence": 1, "key_id": one.key_id()}));
    assert!(check(&[other.line()]).expect_err("type").contains("neither"));
    let receipts = chain(1);
    let foreign = one.sign(&json!({
        "type": HEAD, "workspace_id": "ws_2", "sequence": 1, "at": "", "receipt_sha256": receipts[0].sha256,
        "key_id": one.key_id(),
    }));
    assert!(check(&lines(&receipts, &foreign)).expect_err("workspace").contains("another workspace"));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_verify(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(verify(&*bytes, &both(), &[]).is_err());
    }
}
