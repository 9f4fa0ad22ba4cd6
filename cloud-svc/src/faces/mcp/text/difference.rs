//! The difference of two texts for a model: what is gone and what is new, with some text around it.

use std::time::Duration;

use similar::{Algorithm, DiffOp, DiffTag, group_diff_ops};
use tokio::time::Instant;

use cloud_content::difference::edits;

/// Time for all differences of a result. After it, the rest is coarse changes, which are still correct.
const TIME: Duration = Duration::from_millis(100);
/// Unchanged lines around a change.
const LINES: usize = 3;
/// Unchanged words around a change within a long text.
const WORDS: usize = 12;
/// Shorter texts and lines are shown whole.
const SHORT_BYTES: usize = 600;
/// Half of what a result may have, for all its differences.
const MAX_BYTES: usize = 24_000;

/// What the differences of one result may still take.
// One shared bound: a plan may have fifty long texts, and fifty separate bounds would add up.
pub(super) struct Rest {
    until: Instant,
    bytes: usize,
}

impl Rest {
    pub(super) fn of_result() -> Self {
        Self { until: Instant::now() + TIME, bytes: MAX_BYTES }
    }

    fn groups(&self, old: &[&str], new: &[&str], around: usize) -> Vec<Vec<DiffOp>> {
        let within = self.until.saturating_duration_since(Instant::now());
        group_diff_ops(edits(Algorithm::Myers, old, new, Some(within)), around)
    }
}

/// A line for each line: `-` if it is gone, `+` if it is new, `…` for what is left out.
pub(super) fn write(before: &str, after: &str, rest: &mut Rest) -> String {
    if rest.bytes == 0 {
        return "    … (left out: this result has too many differences)".to_owned();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let mut shown = Vec::new();
    let mut end = 0;
    for group in rest.groups(&old, &new, LINES) {
        let first = group.first().map_or(0, |op| op.old_range().start);
        if first > end {
            shown.push("    …".to_owned());
        }
        for op in &group {
            let (tag, from, to) = op.as_tag_tuple();
            end = from.end;
            match tag {
                DiffTag::Equal => shown.extend(old[from].iter().map(|line| format!("    {}", beginning(line)))),
                _ => changed(&mut shown, &old[from], &new[to], rest),
            }
        }
    }
    if end < old.len() {
        shown.push("    …".to_owned());
    }
    let shown = bounded(&shown, rest.bytes);
    rest.bytes = rest.bytes.saturating_sub(shown.len());
    shown
}

/// Lines that are replaced: whole, or only the words that differ if they are long.
fn changed(shown: &mut Vec<String>, old: &[&str], new: &[&str], rest: &Rest) {
    let (before, after) = (old.join("\n"), new.join("\n"));
    if old.is_empty() || new.is_empty() || before.len().max(after.len()) <= SHORT_BYTES {
        push(shown, '-', old);
        push(shown, '+', new);
        return;
    }
    let (old, new) = (words(&before), words(&after));
    for group in rest.groups(&old, &new, WORDS) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        for (sign, words, start, end) in [
            ('-', &old, first.old_range().start, last.old_range().end),
            ('+', &new, first.new_range().start, last.new_range().end),
        ] {
            let head = if start > 0 { "… " } else { "" };
            let tail = if end < words.len() { " …" } else { "" };
            let part = format!("{head}{}{tail}", words[start..end].concat());
            push(shown, sign, &part.split('\n').collect::<Vec<_>>());
        }
    }
}

fn push(shown: &mut Vec<String>, sign: char, lines: &[&str]) {
    shown.extend(lines.iter().map(|line| format!("  {sign} {line}")));
}

/// Words, each with the character after it.
fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(|c: char| !c.is_alphanumeric()).collect()
}

fn beginning(line: &str) -> String {
    if line.len() <= SHORT_BYTES {
        return line.to_owned();
    }
    format!("{} …", &line[..line.floor_char_boundary(SHORT_BYTES)])
}

fn bounded(lines: &[String], max: usize) -> String {
    let mut whole = lines.join("\n");
    if whole.len() > max {
        let end = whole.floor_char_boundary(max);
        let left_out = whole.len() - end;
        whole.truncate(end);
        whole.push_str(&format!("\n    … ({left_out} more bytes of this difference are left out)"));
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(before: &str, after: &str) -> String {
        super::write(before, after, &mut Rest::of_result())
    }

    #[test]
    fn a_change_is_shown_with_the_lines_around_it() {
        let before: String = (0..100).map(|line| format!("line {line}\n")).collect();
        let shown = write(&before, &before.replace("line 50\n", "line fifty\n"));
        let lines: Vec<_> = shown.lines().map(str::trim_start).collect();
        let expected =
            ["…", "line 47", "line 48", "line 49", "- line 50", "+ line fifty", "line 51", "line 52", "line 53", "…"];
        assert_eq!(lines, expected);
    }

    #[test]
    fn one_word_of_a_long_line_is_shown_with_the_words_around_it() {
        let before = format!("{}Tuesday {}", "before ".repeat(4_000), "after ".repeat(4_000));
        let shown = write(&before, &before.replace("Tuesday", "Friday"));
        assert!(shown.len() < 600, "{}", shown.len());
        assert!(shown.contains("  - … before") && shown.contains("before Tuesday after"), "{shown}");
        assert!(shown.contains("  + … before") && shown.contains("before Friday after"), "{shown}");
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(write("3 €", "4 €"), "  - 3 €\n  + 4 €");
        assert_eq!(write("a\nb", "a\nc"), "    a\n  - b\n  + c");
    }

    #[test]
    fn a_long_difference_says_how_much_is_left_out() {
        let (before, after) = ("old é\n".repeat(9_000), "new é\n".repeat(9_000));
        let shown = write(&before, &after);
        assert!(shown.len() < MAX_BYTES + 100, "{}", shown.len());
        assert!(shown.contains("more bytes of this difference are left out"), "{shown}");
    }

    #[test]
    fn all_differences_of_a_result_have_one_bound() {
        let (before, after) = ("old é\n".repeat(9_000), "new é\n".repeat(9_000));
        let mut rest = Rest::of_result();
        let shown: Vec<_> = (0..50).map(|_| super::write(&before, &after, &mut rest)).collect();
        assert!(shown.concat().len() < MAX_BYTES + 50 * 100, "{}", shown.concat().len());
        assert!(shown[1..].iter().all(|text| text.contains("left out")), "{}", shown[1]);
    }

    #[test]
    fn a_difference_is_coarse_when_the_time_of_the_result_is_over() {
        let lines = |word: &str| (0..100).map(|line| format!("{word} {line}\nsame {line}\n")).collect::<String>();
        let (before, after) = (lines("old"), lines("new"));
        assert!(!write(&before, &after).contains("- same"));
        let shown = super::write(&before, &after, &mut Rest { until: Instant::now(), bytes: MAX_BYTES });
        assert!(shown.contains("- old 50\n") && shown.contains("+ new 50\n"), "{shown}");
        assert!(shown.contains("  - same 50\n"), "{shown}");
    }
}
