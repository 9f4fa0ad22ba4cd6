//! Pages and slides as SVG.

// Presentation attributes only: the content security policy of pages forbids inline styles.

use maud::{Markup, html};

use cloud_content::canvas::element::{Element, TextAlign};

// Bounds the size of the picture. All of the text is below it.
const CHARACTERS: usize = 3_000;
/// Height of a line as a share of its font size.
const LINE: f64 = 1.25;
/// To which part of its size a text shrinks at most.
const SMALLEST: f64 = 0.5;
/// How much wider bold letters are. The browser chooses the font, and some are this wide.
const BOLD: f64 = 1.15;
/// In points.
const PADDING: f64 = 6.0;

/// In points.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// `title` is the name for screen readers.
pub fn draw(title: &str, size: Size, background: &str, elements: &[Element]) -> Markup {
    let Size { width, height } = size;
    html! {
        svg.drawing xmlns="http://www.w3.org/2000/svg" role="img" aria-label=(title) viewBox=(format!("0 0 {width} {height}")) {
            title { (title) }
            rect width=(width) height=(height) fill=(color(background)) {}
            @for element in elements { (self::element(element, size)) }
        }
    }
}

fn element(element: &Element, size: Size) -> Markup {
    let (x, y) = (element.x.value() * size.width / 100.0, element.y.value() * size.height / 100.0);
    let (width, height) = (element.w.value() * size.width / 100.0, element.h.value() * size.height / 100.0);
    let turn = element.rotation.value();
    let turned = format!("rotate({turn} {} {})", x + width / 2.0, y + height / 2.0);
    let (anchor, start) = match element.align {
        TextAlign::Left => ("start", PADDING),
        TextAlign::Center => ("middle", width / 2.0),
        TextAlign::Right => ("end", width - PADDING),
    };
    let width_of_lines = (width - 2.0 * PADDING) / if element.weight >= 600 { BOLD } else { 1.0 };
    let size = fitting(&element.text, element.font_size.value(), width_of_lines);
    html! {
        g transform=[(turn != 0.0).then_some(turned)] {
            // A nested SVG cuts off text beyond the edges of the element.
            svg x=(x) y=(y) width=(width) height=(height) overflow="hidden" {
                rect width="100%" height="100%" fill=(color(&element.fill)) {}
                @if !element.text.is_empty() {
                    text fill=(color(&element.color)) font-size=(size) font-weight=(element.weight) font-family="system-ui, sans-serif" text-anchor=(anchor) {
                        @for (index, line) in lines(&element.text, width_of_lines / size).iter().enumerate() {
                            tspan x=(start) y=(PADDING + size * (1.0 + LINE * index as f64)) { (line) }
                        }
                    }
                }
            }
        }
    }
}

/// The font size at which the longest word fits; that of the element if it does.
// Cut letters look broken, and smaller ones do not. Texts without spaces may still be cut: they would become too small.
fn fitting(text: &str, size: f64, width: f64) -> f64 {
    let longest = text.split_whitespace().map(|word| word.chars().map(advance).sum::<f64>()).fold(0.0, f64::max);
    let needed = longest * size;
    if needed > width { size * (width / needed).max(SMALLEST) } else { size }
}

// Checked again, because stored content keeps the rules of its time, and other values could load a URL.
fn color(text: &str) -> &str {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let is_color = digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    if is_color { text } else { "#808080" }
}

/// The lines of a text; `width` is a multiple of the font size.
// SVG does not break lines. The font is not known here, so the widths of letters are estimates on the safe side.
fn lines(text: &str, width: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let drawn: String = text.chars().take(CHARACTERS).collect();
    for paragraph in drawn.split('\n') {
        let (mut line, mut used) = (String::new(), 0.0);
        for word in paragraph.split_inclusive(' ') {
            let length: f64 = word.chars().map(advance).sum();
            if used > 0.0 && used + length > width {
                lines.push(std::mem::take(&mut line));
                used = 0.0;
            }
            for c in word.chars() {
                if used > 0.0 && used + advance(c) > width {
                    lines.push(std::mem::take(&mut line));
                    used = 0.0;
                }
                line.push(c);
                used += advance(c);
            }
        }
        lines.push(line);
    }
    lines
}

/// The width of a character as a share of the font size.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' | ' ' => 0.3,
        'm' | 'w' | 'M' | 'W' | '@' => 0.9,
        'A'..='Z' => 0.68,
        '\0'..='\u{24ff}' => 0.55,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_within_words_that_are_too_long() {
        assert_eq!(lines("one two", 2.5), ["one ", "two"]);
        assert_eq!(lines("a\nb", 9.0), ["a", "b"]);
        assert_eq!(lines("xxxxxx", 1.2), ["xx", "xx", "xx"]);
        assert_eq!(lines(&"x".repeat(10_000), 0.1).len(), CHARACTERS, "a line has a character at least");
    }

    #[test]
    fn words_that_are_too_long_make_the_letters_smaller() {
        assert_eq!(fitting("xx yy", 10.0, 11.0), 10.0);
        assert!((fitting("xxxx", 10.0, 16.5) - 7.5).abs() < 1e-9);
        assert_eq!(fitting(&"x".repeat(1_000), 10.0, 10.0), 5.0, "not so small that nobody reads it");
    }

    #[test]
    fn only_colors_are_colors() {
        assert_eq!(color("#1a2B3c"), "#1a2B3c");
        for wrong in ["red", "#12345", "url(x)", "#12345\"", "#éééééé"] {
            assert_eq!(color(wrong), "#808080", "{wrong}");
        }
    }
}
