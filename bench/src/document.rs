//! The document that the benchmarks create and read.

use serde_json::{Value, json};

/// A document with about this much text.
pub fn document(bytes: usize) -> Value {
    let count = (bytes / 256).max(1);
    let text = "w".repeat((bytes / count).saturating_sub(80).max(16));
    let blocks: Vec<_> = (0..count)
        .map(|number| json!({"id": format!("block-{number}"), "type": "paragraph", "segments": [{"text": text}]}))
        .collect();
    json!({"name": "Benchmark", "content": {"kind": "docs", "blocks": blocks}})
}
