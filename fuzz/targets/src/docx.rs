//! Whatever the Word file, reading it does not panic, and its choices are choices of changes that the plan has.

use std::{collections::HashSet, sync::LazyLock};

use cloud_content::documents::{
    content::DocumentContent,
    word::{Versions, choices, read},
};
use serde_json::Value;
use shared_model::json_reader;

use crate::office::archive;

const TEXT: &str = "word/document.xml";

/// The plan whose files LibreOffice has saved for a test.
static PLAN: LazyLock<Versions> = LazyLock::new(|| {
    let kept: Value = serde_json::from_str(include_str!("../../../cloud-svc/content/tests/data/word/versions.json"))
        .expect("kept versions");
    let version = |name: &str| json_reader::read::<DocumentContent>(&kept[name]).expect("a document");
    Versions {
        before: version("before"),
        after: version("after"),
        moved: HashSet::from(["two".parse().expect("an id")]),
    }
});

pub fn run(bytes: &[u8]) {
    let Ok(paragraphs) = read(&archive(bytes, TEXT, &[])) else { return };
    // What the file has in addition to the plan is a person's mistake, and the paragraph is named.
    match choices(&PLAN, &paragraphs) {
        Ok(found) => {
            let blocks = || PLAN.before.blocks.iter().chain(&PLAN.after.blocks);
            assert!(found.keys().all(|id| blocks().any(|block| block.id.as_ref() == Some(id))), "{found:?}");
        }
        Err(unexpected) => assert!((1..=paragraphs.len() + 1).contains(&unexpected.paragraph), "{unexpected:?}"),
    }
}
