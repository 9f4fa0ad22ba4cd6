//! Registering a signer.

use shared_model::Failure;
use shared_runtime::Conn;

use super::{Signer, store};

/// Registers a signer; `false`, and nothing changes, when its key id is taken.
pub fn add(conn: &mut Conn, signer: &Signer) -> Result<bool, Failure> {
    if store::find(conn, &signer.key_id)?.is_some() {
        return Ok(false);
    }
    store::insert(conn, signer)?;
    Ok(true)
}

/// Checks that an origin is written as browsers write it (RFC 6454 §6.2), for it is compared exactly.
pub fn origin(text: &str) -> Result<String, &'static str> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = host.is_some_and(|host| {
        !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && !b.is_ascii_uppercase() && b != b'/')
    });
    if is_plain {
        Ok(text.to_owned())
    } else {
        Err("must be like https://desk.example, in lower case and without a path")
    }
}

/// Checks what the ids of a signer's markets begin with.
pub fn market_prefix(text: &str) -> Result<String, &'static str> {
    let digits = text.strip_prefix("mkt_").ok_or("must begin with mkt_")?;
    let is_hex = digits.len() <= 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex { Ok(text.to_owned()) } else { Err("must be mkt_ and up to 32 lowercase hexadecimal digits") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_and_prefixes_have_one_spelling() {
        assert!(origin("https://desk.example:8443").is_ok());
        for text in ["null", "*", "https://", "https://desk.example/", "https://Desk.example", "desk.example"] {
            assert!(origin(text).is_err(), "{text}");
        }
        assert!(market_prefix("mkt_00ff").is_ok());
        for text in ["", "mkt", "mkt_XY", "evt_00"] {
            assert!(market_prefix(text).is_err(), "{text}");
        }
    }
}
