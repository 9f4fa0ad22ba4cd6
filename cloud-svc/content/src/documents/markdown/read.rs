//! Reads documents from Markdown.

use std::collections::BTreeSet;

use pulldown_cmark::{Options, Parser};
use shared_model::{Problem, json_reader, text::newlines};

use super::{
    plainer::{Plainer, Watch},
    reader::Reader,
};
use crate::{
    documents::content::{
        DocumentContent, DocumentKind,
        block::{BLOCKS, Block, BlockType},
    },
    limits::REQUEST_BYTES,
};

/// A document, and what is plainer in it than in the Markdown.
#[derive(Debug)]
pub struct Read {
    pub content: DocumentContent,
    pub plainer: BTreeSet<Plainer>,
}

/// Reads CommonMark with GFM tables. `Err` lists the rules of documents that the content would break.
///
/// No text is lost, but it becomes plainer. Headings have two levels, lists and quotations are flat, and code becomes
/// paragraphs. An image becomes a link, and HTML becomes text, except tags of styles. A target that a segment cannot
/// have follows its text in parentheses.
pub fn read(markdown: &str) -> Result<Read, Vec<Problem>> {
    if markdown.len() > REQUEST_BYTES {
        let rule = format!("must be at most {REQUEST_BYTES} bytes (request_bytes), has {}", markdown.len());
        return Err(vec![Problem { at: String::new(), rule }]);
    }
    // The parser keeps line ends within code as they are, and the text of a document must not contain CR.
    let markdown = newlines(markdown);
    let (mut reader, mut watch) = (Reader::default(), Watch::default());
    for event in Parser::new_ext(&markdown, Options::ENABLE_TABLES) {
        watch.see(&event);
        reader.take(event);
        // Checked on the way: two megabytes of Markdown can have hundreds of thousands of blocks.
        if reader.blocks.len() > BLOCKS {
            let rule = format!("must have 1 to {BLOCKS} items, has more");
            return Err(vec![Problem { at: "/blocks".to_owned(), rule }]);
        }
        // Each change of the style repeats the link around it: two megabytes of Markdown could become gigabytes.
        if reader.json_bytes() > REQUEST_BYTES {
            let rule = format!("must have at most {REQUEST_BYTES} bytes as JSON (request_bytes), has more");
            return Err(vec![Problem { at: String::new(), rule }]);
        }
    }
    let mut blocks = reader.end();
    if blocks.is_empty() {
        // A document has at least one block.
        blocks.push(Block { id: None, kind: BlockType::Paragraph, segments: Vec::new(), rows: None });
    }
    let content = DocumentContent { kind: DocumentKind::Docs, blocks, settings: None, annotations: None };
    let problem = |rule: String| vec![Problem { at: String::new(), rule }];
    // Through JSON, because all rules of documents are in the reader of JSON.
    let value = serde_json::to_value(&content).map_err(|error| problem(format!("must be JSON: {error}")))?;
    Ok(Read { content: json_reader::read(&value)?, plainer: watch.found })
}
