//! Text in Markdown (CommonMark with GFM tables), escaped so that it reads back as the same text.

/// Text of one block while it is being written: after the marker of the block, before its end.
pub struct Inline<'a> {
    out: &'a mut String,
    lines: Lines<'a>,
    /// Where the text of the line begins.
    start: usize,
    /// Line breaks that are not written yet: at the end of a block they are not written as such.
    breaks: usize,
}

/// What a line break in a text becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines<'a> {
    /// A tag, for headings and cells are of one line.
    One,
    /// A hard line break; what follows begins with this, which keeps it in its list item or quotation.
    Several(&'a str),
}

impl<'a> Inline<'a> {
    /// Begins a text.
    pub fn new(out: &'a mut String, lines: Lines<'a>) -> Self {
        Self { start: out.len(), out, lines, breaks: 0 }
    }

    /// Writes text.
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
                ' ' if is_start => self.out.push_str("&#32;"),
                '\t' if is_start => self.out.push_str("&#9;"),
                _ => {
                    let needs_escape = match c {
                        '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
                        '_' => !(ends_in_word(&text[..at]) && next.is_some_and(char::is_alphanumeric)),
                        '&' => next.is_none_or(|next| next == '#' || next.is_alphanumeric()),
                        '!' => next.is_none(),
                        '|' | '#' if self.lines == Lines::One => true,
                        '#' | '>' | '-' | '+' | '=' | ':' | '|' => is_start,
                        // The number of a list item, if only digits are before it on the line.
                        '.' | ')' => self.is_number(),
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

    /// Writes Markdown as it is.
    pub fn markdown(&mut self, markdown: &str) {
        self.flush();
        self.out.push_str(markdown);
    }

    /// The last character that was written.
    pub fn last(&self) -> Option<char> {
        self.out.chars().next_back()
    }

    /// Ends the text.
    pub fn end(self) {
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

    /// Nothing is on the line yet.
    fn is_start(&self) -> bool {
        self.out.len() == self.start
    }

    /// Only a number is on the line.
    fn is_number(&self) -> bool {
        let line = &self.out.as_bytes()[self.start..];
        (1..=9).contains(&line.len()) && line.iter().all(u8::is_ascii_digit)
    }
}

/// One line of text.
pub fn line(out: &mut String, text: &str) {
    let mut inline = Inline::new(out, Lines::One);
    inline.text(text);
    inline.end();
}

/// Text of several lines, of which all but the first begin with `prefix`.
pub fn lines(out: &mut String, prefix: &str, text: &str) {
    let mut inline = Inline::new(out, Lines::Several(prefix));
    inline.text(text);
    inline.end();
}

fn ends_in_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(char::is_alphanumeric)
}
