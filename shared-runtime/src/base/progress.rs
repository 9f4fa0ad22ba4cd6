//! Progress bars of commands that take a while, on standard error if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// Counts items; `noun` names them in the plural.
pub fn item_bar(items: u64, noun: &str) -> ProgressBar {
    styled(items, &format!("{{bar:40}} {{percent:>3}} %  {{human_pos}} of {{human_len}} {noun}  {{eta}}"))
}

pub fn byte_bar(bytes: u64) -> ProgressBar {
    styled(bytes, "{bar:40} {percent:>3} %  {bytes} of {total_bytes}  {eta}")
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    ProgressBar::new(length).with_style(style)
}
