//! What a search must find, by a plain scan of all texts.

use cloud_content::name_key::name_key;

#[derive(Clone, Debug, Default)]
pub struct Content {
    pub texts: Vec<String>,
    pub tags: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct File {
    pub id: String,
    pub kind: &'static str,
    pub name: String,
    pub content: Content,
    /// The versions' ids and contents.
    pub versions: Vec<(String, Content)>,
    pub comments: Vec<(serde_json::Value, String)>,
    /// An index into the files.
    pub parent: Option<usize>,
    pub is_trashed: bool,
    pub is_gone: bool,
    /// When its name, content or comments were last written.
    pub written: usize,
}

#[derive(Clone, Debug)]
pub enum Asked {
    Word(String),
    Phrase(Vec<String>),
    Tag(String),
}

#[derive(Debug, Default)]
pub struct Model {
    pub files: Vec<File>,
}

fn is_cjk(c: char) -> bool {
    ('\u{3040}'..='\u{9fff}').contains(&c)
}

/// Runs of letters, and runs of CJK characters.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = None;
    for c in name_key(text).chars() {
        let class = c.is_alphanumeric().then(|| is_cjk(c));
        if class != before {
            words.push(String::new());
            before = class;
        }
        if class.is_some() {
            words.last_mut().expect("a word").push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// 2: as whole words; 1: as a part of a word; 0: not at all.
fn how(text: &str, asked: &Asked) -> u8 {
    let words = words(text);
    match asked {
        Asked::Tag(_) => 0,
        Asked::Phrase(phrase) => {
            let phrase: Vec<_> = phrase.iter().flat_map(|word| self::words(word)).collect();
            // A run of CJK characters has no ends, so a phrase begins and ends anywhere in one.
            let is_same = |some: &[String]| {
                let end = phrase.len() - 1;
                let first =
                    if phrase[0].chars().all(is_cjk) { some[0].ends_with(&phrase[0]) } else { some[0] == phrase[0] };
                let last = &phrase[end];
                let last = if last.chars().all(is_cjk) { some[end].starts_with(last) } else { some[end] == *last };
                first && last && some[1..end] == phrase[1..end]
            };
            2 * u8::from(words.windows(phrase.len()).any(is_same))
        }
        Asked::Word(word) => {
            let word = name_key(word);
            let long = if word.chars().all(is_cjk) { 2 } else { 3 };
            let has_part = word.chars().count() >= long && words.iter().any(|other| other.contains(&word));
            let is_whole = words.contains(&word) || (has_part && word.chars().all(is_cjk));
            if is_whole { 2 } else { u8::from(has_part) }
        }
    }
}

impl Model {
    pub fn is_visible(&self, index: usize) -> bool {
        let file = &self.files[index];
        !file.is_gone && !file.is_trashed && file.parent.is_none_or(|parent| self.is_visible(parent))
    }

    fn is_below(&self, index: usize, folder: usize) -> bool {
        self.files[index].parent.is_some_and(|parent| parent == folder || self.is_below(parent, folder))
    }

    pub fn texts(file: &File) -> Vec<&str> {
        let comments = file.comments.iter().map(|(_, text)| text.as_str());
        let own = file.content.texts.iter().chain(&file.content.tags).map(String::as_str);
        [file.name.as_str()].into_iter().chain(own).chain(comments).collect()
    }

    /// The ids of the found files, in order.
    pub fn find(&self, asked: &[Asked], below: Option<usize>) -> Vec<String> {
        let visible = (0..self.files.len()).filter(|index| self.is_visible(*index));
        let there = visible.filter(|index| below.is_none_or(|folder| self.is_below(*index, folder)));
        let mut found: Vec<(u8, usize, String)> = there
            .filter_map(|index| {
                let file = &self.files[index];
                let how = |asked: &Asked| match asked {
                    Asked::Tag(tag) => 2 * u8::from(file.content.tags.contains(tag)),
                    other => Self::texts(file).into_iter().map(|text| how(text, other)).max().unwrap_or_default(),
                };
                let least = asked.iter().map(how).min()?;
                (least > 0).then(|| (least, file.written, file.id.clone()))
            })
            .collect();
        found.sort();
        found.into_iter().rev().map(|(.., id)| id).collect()
    }

    /// Purges a file: what is inside goes with it, but what was trashed on its own goes to the top.
    pub fn purge(&mut self, index: usize) {
        self.files[index].is_gone = true;
        for child in 0..self.files.len() {
            if self.files[child].parent == Some(index) && !self.files[child].is_gone {
                if self.files[child].is_trashed {
                    self.files[child].parent = None;
                } else {
                    self.purge(child);
                }
            }
        }
    }
}
