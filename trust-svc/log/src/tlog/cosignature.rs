//! The message under a witness's signature. It states that at this time the witness knew no larger tree of this log. It
//! knew no other tree of this size either. The format is C2SP tlog-cosignature, Ed25519.

use ed25519_dalek::Signature;

/// The text of the checkpoint below two header lines.
pub fn message(seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

/// The time as a 64-bit number, then the signature.
pub fn encode(seconds: u64, signature: &Signature) -> Vec<u8> {
    [seconds.to_be_bytes().as_slice(), &signature.to_bytes()].concat()
}

/// The time in seconds since the Unix epoch, and the signature.
pub fn decode(bytes: &[u8]) -> Option<(u64, Signature)> {
    let (time, signature) = bytes.split_first_chunk()?;
    let seconds = u64::from_be_bytes(*time);
    // C2SP limits the time to 63 bits.
    let is_time = i64::try_from(seconds).is_ok();
    Some((seconds, Signature::from_slice(signature).ok()?)).filter(|_| is_time)
}
