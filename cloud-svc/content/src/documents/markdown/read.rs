//! A document from Markdown.

use pulldown_cmark::{Options, Parser};
use shared_model::{Problem, json_reader};

use super::reader::Reader;
use crate::{
    documents::content::{
        DocumentContent, DocumentKind,
        block::{BLOCKS, Block, BlockType},
    },
    limits::REQUEST_BYTES,
};

/// Reads CommonMark with GFM tables. `Err` says which rules of documents the content would break.
///
/// Nothing that is written there is lost, though it may be plainer: headings below the first level are of the second,
/// lists and quotations are flat, code is paragraphs, an image is a link, raw HTML is text but for the tags of styles,
/// and a target that is no `http`, `https` or `mailto` URL stands in parentheses after its text.
pub fn read(markdown: &str) -> Result<DocumentContent, Vec<Problem>> {
    if markdown.len() > REQUEST_BYTES {
        let rule = format!("must be at most {REQUEST_BYTES} bytes (request_bytes), has {}", markdown.len());
        return Err(vec![Problem { at: String::new(), rule }]);
    }
    // Within code the parser keeps line ends as they are.
    let markdown = markdown.replace("\r\n", "\n").replace('\r', "\n");
    let mut reader = Reader::default();
    for event in Parser::new_ext(&markdown, Options::ENABLE_TABLES) {
        reader.take(event);
        if reader.blocks.len() > BLOCKS {
            let rule = format!("must have 1 to {BLOCKS} items, has more");
            return Err(vec![Problem { at: "/blocks".to_owned(), rule }]);
        }
    }
    let mut blocks = reader.end();
    if blocks.is_empty() {
        blocks.push(Block { id: None, kind: BlockType::Paragraph, segments: Vec::new(), rows: None });
    }
    let content = DocumentContent { kind: DocumentKind::Docs, blocks, settings: None, annotations: None };
    let problem = |rule: String| vec![Problem { at: String::new(), rule }];
    let value = serde_json::to_value(&content).map_err(|error| problem(format!("must be JSON: {error}")))?;
    json_reader::read(&value)
}
