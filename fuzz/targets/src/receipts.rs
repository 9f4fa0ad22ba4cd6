//! Whatever the lines, verifying a chain of receipts does not panic, and only a whole chain holds.

use std::sync::LazyLock;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use cloud_receipts::{HEAD, RECEIPT, chain::verify, keys::Keys, signer::Signer};
use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use shared_model::json;

static SIGNER: LazyLock<Signer> = LazyLock::new(|| Signer::new(SigningKey::from_bytes(&[7; 32])));
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let keys = json!({"keys": [{"public_key": BASE64_STANDARD.encode(SIGNER.public_key())}]});
    Keys::parse(keys.to_string().as_bytes()).expect("our key")
});

/// Lines of a chain, and at the same time the statements of another, which are signed here.
pub fn run(bytes: &[u8]) {
    // Most of the corpus is not a list of keys: what counts is that reading it ends.
    let _ = Keys::parse(bytes);
    assert!(verify(bytes, &KEYS, &[]).is_err(), "nothing in the corpus has a signature of this key");
    let mut previous = Value::Null;
    let (mut statements, mut lines) = (Vec::new(), Vec::new());
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(mut statement) = json::parse_object(line) else { continue };
        statement.insert("key_id".to_owned(), SIGNER.key_id().into());
        // A fuzzer finds no hash.
        for link in ["previous", "receipt_sha256"] {
            if statement.get(link).is_some_and(Value::is_boolean) {
                statement.insert(link.to_owned(), previous.clone());
            }
        }
        let signed = SIGNER.sign(&Value::Object(statement.clone()));
        previous = signed.sha256.clone().into();
        lines.push(signed.line());
        statements.push(statement);
    }
    let Ok(verified) = verify(lines.join("\n").as_bytes(), &KEYS, &[]) else { return };
    let (head, receipts) = statements.split_last().expect("a chain that holds has a head");
    assert_eq!((verified.receipts, &head["type"]), (i64::try_from(receipts.len()).expect("few"), &HEAD.into()));
    for (index, receipt) in receipts.iter().enumerate() {
        assert_eq!((&receipt["type"], &receipt["sequence"]), (&RECEIPT.into(), &Value::from(index + 1)));
        assert_eq!(receipt["workspace_id"], verified.workspace_id.as_str());
        let without: Vec<_> =
            lines.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, line)| &**line).collect();
        assert!(verify(without.join("\n").as_bytes(), &KEYS, &[]).is_err(), "line {index} may be missing");
    }
}
