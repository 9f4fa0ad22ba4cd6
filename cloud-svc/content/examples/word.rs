//! Writes random plans as Word files with tracked changes. It also writes the texts that each must have when all
//! changes are accepted or rejected. `./test word` lets LibreOffice resolve them.
//!
//!     word FOLDER COUNT SEED
//!     word FOLDER     writes plan.docx between the versions that versions.json in the folder has

use std::{collections::HashSet, env, error::Error, fs, path::Path};

use cloud_content::documents::{
    content::DocumentContent,
    word::{Tracked, Versions, docx},
};
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Value, json};
use shared_model::json_reader;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (folder, count, seed) = match &arguments[..] {
        [folder] => return kept(Path::new(folder)),
        [folder, count, seed] => (Path::new(folder), count, seed),
        _ => return Err("word FOLDER [COUNT SEED]".into()),
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.parse::<u64>()?.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    for index in 0..count.parse::<usize>()? {
        let (old, new) = versions().new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        let versions = Versions { before: document(&old), after: document(&new), moved: HashSet::new() };
        fs::write(folder.join(format!("{index}.docx")), docx(&versions, BY).map_err(|error| error.to_string())?)?;
        let texts = json!({"before": texts(&old), "after": texts(&new)});
        fs::write(folder.join(format!("{index}.json")), texts.to_string())?;
    }
    Ok(())
}

const BY: Tracked<'_> = Tracked { author: "ada & <bob>", at: "2026-11-25T09:00:00Z" };

fn kept(folder: &Path) -> Result<(), Box<dyn Error>> {
    let versions: Value = serde_json::from_slice(&fs::read(folder.join("versions.json"))?)?;
    let read = |version: &str| json_reader::read(&versions[version]).map_err(|problems| format!("{problems:?}"));
    let versions = Versions { before: read("before")?, after: read("after")?, moved: ["two".parse()?].into() };
    Ok(fs::write(folder.join("plan.docx"), docx(&versions, BY).map_err(|error| error.to_string())?)?)
}

type Blocks = Vec<(u8, Value)>;

/// Two versions that share blocks by their ids.
fn versions() -> impl Strategy<Value = (Blocks, Blocks)> {
    (blocks(), blocks(), proptest::collection::vec(any::<bool>(), 12), 0..4_usize).prop_map(
        |(old, other, keep, turn)| {
            let kept = old.iter().filter(|(id, _)| keep[usize::from(*id)]).cloned();
            let others = other.into_iter().filter(|(id, _)| !keep[usize::from(*id)]);
            let mut new: Blocks = kept.chain(others).collect();
            if new.is_empty() {
                new.push((11, json!({"type": "paragraph", "segments": [{"text": "All that is left."}]})));
            }
            new.sort_by_key(|(id, _)| *id);
            let turn = turn % new.len();
            // Sometimes blocks move.
            new.rotate_left(turn);
            (old, new)
        },
    )
}

fn blocks() -> impl Strategy<Value = Blocks> {
    proptest::collection::vec((0..12_u8, block()), 1..8).prop_map(|mut blocks| {
        blocks.sort_by_key(|(id, _)| *id);
        blocks.dedup_by_key(|(id, _)| *id);
        blocks
    })
}

fn block() -> impl Strategy<Value = Value> {
    const KINDS: [&str; 6] = ["paragraph", "heading1", "heading2", "bullet", "number", "quote"];
    let text = (proptest::sample::select(&KINDS[..]), segments(1..4))
        .prop_map(|(kind, segments)| json!({"type": kind, "segments": segments}));
    let table = proptest::collection::vec((segments(1..2), segments(1..2)), 1..4).prop_map(|rows| {
        let rows: Vec<_> = rows.into_iter().map(|(one, two)| json!([one, two])).collect();
        json!({"type": "table", "segments": [], "rows": rows})
    });
    prop_oneof![8 => text, 1 => Just(json!({"type": "divider", "segments": []})), 2 => table]
}

fn segments(count: std::ops::Range<usize>) -> impl Strategy<Value = Value> {
    let words =
        ["Begin", "at", "9:30.", "Ünï", "日本語", "<&>", "\"quoted\"", "🧀", "tab\tbed", "line\nbreak", "1,5", "'"];
    let text =
        proptest::collection::vec(proptest::sample::select(words.to_vec()), 1..6).prop_map(|words| words.join(" "));
    let segment = (text, any::<bool>(), any::<bool>(), 0..6_u8).prop_map(|(text, bold, italic, link)| {
        let mut segment = json!({"text": text + " "});
        if bold {
            segment["bold"] = json!(true);
        }
        if italic {
            segment["italic"] = json!(true);
        }
        if link == 0 {
            segment["link"] = json!("https://example.com/?a=1&b=2");
        }
        segment
    });
    proptest::collection::vec(segment, count).prop_map(Value::Array)
}

fn document(blocks: &Blocks) -> DocumentContent {
    let with_id = |(id, block): &(u8, Value)| {
        let mut block = block.clone();
        block["id"] = json!(format!("b{id}"));
        block
    };
    let blocks: Vec<_> = blocks.iter().map(with_id).collect();
    json_reader::read(&json!({"kind": "docs", "blocks": blocks})).expect("a document by the rules")
}

/// The texts of the paragraphs and of the cells, in order.
fn texts(blocks: &Blocks) -> Vec<String> {
    let whole = |segments: &Value| {
        segments.as_array().into_iter().flatten().filter_map(|segment| segment["text"].as_str()).collect::<String>()
    };
    let mut texts = Vec::new();
    for (_, block) in blocks {
        match block["type"].as_str() {
            Some("divider") => texts.push("* * *".to_owned()),
            Some("table") => {
                let rows = block["rows"].as_array().into_iter().flatten();
                texts.extend(rows.flat_map(|row| row.as_array().into_iter().flatten()).map(whole));
            }
            _ => texts.push(whole(&block["segments"])),
        }
    }
    texts
}
