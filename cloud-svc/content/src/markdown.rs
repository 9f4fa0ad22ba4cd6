//! Escapes text for Markdown (CommonMark with GFM tables), so that it reads back as the same text.

/// Writes the text of one block, after the marker of the block.
pub struct Inline<'a> {
    out: &'a mut String,
    lines: Lines<'a>,
    /// The place in `out` where the text of the line begins.
    start: usize,
    /// Line breaks that are not written yet, because the end of a block needs another form.
    breaks: usize,
}

/// How line breaks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines<'a> {
    /// As a tag, because headings and cells have one line.
    One,
    /// As hard line breaks. The next line begins with this prefix, which keeps it in its list item or quotation.
    Several(&'a str),
}

impl<'a> Inline<'a> {
    pub fn new(out: &'a mut String, lines: Lines<'a>) -> Self {
        Self { start: out.len(), out, lines, breaks: 0 }
    }

    pub fn text(&mut self, text: &str) {
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            if c == '\n' {
                self.line_break();
                continue;
            }
            self.flush();
            let next = characters.peek().map(|(_, next)| *next);
            let is_start = self.is_start();
            match c {
                // Parsers remove spaces at both ends of a line, but not character references.
                ' ' if is_start => self.out.push_str("&#32;"),
                '\t' if is_start => self.out.push_str("&#9;"),
                _ => {
                    let needs_escape = match c {
                        '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
                        // Within a word `_` does not mark a style.
                        '_' => !(ends_in_word(&text[..at]) && next.is_some_and(char::is_alphanumeric)),
                        '&' => next.is_none_or(|next| next == '#' || next.is_alphanumeric()),
                        // Before a link that follows, it would make an image of it.
                        '!' => next.is_none(),
                        '|' | '#' if self.lines == Lines::One => true,
                        '#' | '>' | '-' | '+' | '=' | '|' => is_start,
                        // After digits alone, it would make them the number of a list item.
                        '.' | ')' if self.is_number() => true,
                        ':' | '.' => is_start && c == ':' || makes_bare_link(&text[..at], &text[at..]),
                        _ => false,
                    };
                    if needs_escape {
                        self.out.push('\\');
                    }
                    self.out.push(c);
                }
            }
        }
    }

    /// Writes Markdown without escapes.
    pub fn markdown(&mut self, markdown: &str) {
        self.flush();
        self.out.push_str(markdown);
    }

    /// The last written character.
    pub fn last(&self) -> Option<char> {
        self.out.chars().next_back()
    }

    pub fn end(self) {
        // A hard line break at the end of a block is a backslash, not a line break.
        for _ in 0..self.breaks {
            self.out.push_str("&#10;");
        }
        if self.breaks == 0 && !self.is_start() {
            for (blank, reference) in [(' ', "&#32;"), ('\t', "&#9;")] {
                if self.out.ends_with(blank) {
                    self.out.pop();
                    self.out.push_str(reference);
                }
            }
        }
    }

    fn line_break(&mut self) {
        match self.lines {
            Lines::One => self.markdown("<br>"),
            Lines::Several(_) if self.is_start() && self.breaks == 0 => self.markdown("&#10;"),
            Lines::Several(_) => self.breaks += 1,
        }
    }

    fn flush(&mut self) {
        if let Lines::Several(prefix) = self.lines {
            for _ in 0..std::mem::take(&mut self.breaks) {
                self.out.push_str("\\\n");
                self.out.push_str(prefix);
                self.start = self.out.len();
            }
        }
    }

    /// Whether the line is empty so far.
    fn is_start(&self) -> bool {
        self.out.len() == self.start
    }

    /// Whether the line has nothing but a number so far.
    fn is_number(&self) -> bool {
        let line = &self.out.as_bytes()[self.start..];
        (1..=9).contains(&line.len()) && line.iter().all(u8::is_ascii_digit)
    }
}

/// Writes one line of text.
pub fn line(out: &mut String, text: &str) {
    let mut inline = Inline::new(out, Lines::One);
    inline.text(text);
    inline.end();
}

/// Writes text whose lines begin with `prefix`, except the first.
pub fn lines(out: &mut String, prefix: &str, text: &str) {
    let mut inline = Inline::new(out, Lines::Several(prefix));
    inline.text(text);
    inline.end();
}

/// Whether readers of GFM would make a link of a bare address here. They then show its escapes as they are written.
// An address without such characters stays as it is: it is a link in most readers, and nothing in it is escaped.
fn makes_bare_link(before: &str, rest: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let starts = match rest.as_bytes() {
        [b':', b'/', b'/', ..] => ["http", "https", "ftp"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme)),
        [b'.', ..] => word.eq_ignore_ascii_case("www"),
        _ => false,
    };
    let is_escaped = |c: char| matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '~' | '&' | '|' | '#' | '!');
    starts && rest.split(char::is_whitespace).next().is_some_and(|address| address.contains(is_escaped))
}

fn ends_in_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(char::is_alphanumeric)
}
