//! Reading notes, checkpoints, requests to witnesses and their answers, keys, tile paths and bundles never panics. Accepted input is
//! written as the same bytes.

use trust_log::tlog::{
    Note, SignedCheckpoint, Tile, VerifierKey, bundle,
    witness::{AddCheckpoint, parse_cosignatures, parse_size, print_cosignatures, print_size},
};

const LOG_KEY: &str = "trust.example/log+f4694ff6+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";
const WITNESS_KEY: &str = "witness.example/w1+ea2ad007+BNYvAWoe/R5P33k+tCzYRHHhup8M8E0Sh7XMcfYWKHy4";

pub fn run(bytes: &[u8]) {
    let same = |text: String| assert_eq!(text.as_bytes(), bytes);
    if let Ok(note) = Note::parse(bytes) {
        let keys = [LOG_KEY, WITNESS_KEY].map(|key| key.parse().expect("a key"));
        let _ = note.open(&keys);
        same(note.to_string());
    }
    if let Ok(checkpoint) = SignedCheckpoint::parse(bytes) {
        same(checkpoint.to_string());
    }
    if let Ok(request) = AddCheckpoint::parse(bytes) {
        same(request.to_string());
    }
    if let Ok(cosignatures) = parse_cosignatures(bytes) {
        same(print_cosignatures(&cosignatures));
    }
    if let Ok(size) = parse_size(bytes) {
        same(print_size(size));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        if let Ok(key) = text.parse::<VerifierKey>() {
            same(key.to_string());
        }
        if let Ok(tile) = text.parse::<Tile>() {
            same(tile.to_string());
        }
    }
    if let Some((width, bytes)) = bytes.split_first()
        && let Ok(entries) = bundle::decode(bytes, u16::from(*width))
    {
        assert_eq!(bundle::encode(entries).expect("they were in one"), bytes);
    }
}
