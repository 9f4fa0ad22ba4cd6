//! What a witness signs: that at this time it had seen no larger tree of this log, and no other of this size (C2SP
//! tlog-cosignature, Ed25519).

use ed25519_dalek::Signature;

/// The signed message: the text of the checkpoint under two lines of its own.
pub fn message(seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

/// The bytes of a cosignature: the time in 64 bits, then the signature.
pub fn encode(seconds: u64, signature: &Signature) -> Vec<u8> {
    [seconds.to_be_bytes().as_slice(), &signature.to_bytes()].concat()
}

/// The time, in seconds since the Unix epoch, and the signature; `None` when these bytes are no cosignature.
pub fn decode(bytes: &[u8]) -> Option<(u64, Signature)> {
    let (time, signature) = bytes.split_first_chunk()?;
    let seconds = u64::from_be_bytes(*time);
    // The specification's limit.
    let is_time = i64::try_from(seconds).is_ok();
    Some((seconds, Signature::from_slice(signature).ok()?)).filter(|_| is_time)
}
