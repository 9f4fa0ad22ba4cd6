//! The progress bar of commands that deal with many bytes.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many of these things on standard error, drawn only where that is a terminal.
pub fn bar_of(number: u64, things: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{percent:>3}} %  {{human_pos}} of {{human_len}} {things}  {{eta}}");
    let style = ProgressStyle::with_template(&template).expect("the template is well-formed");
    ProgressBar::new(number).with_style(style)
}

/// A bar for so many bytes on standard error, drawn only where that is a terminal.
pub fn bar(bytes: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {bytes} of {total_bytes}  {eta}")
        .expect("the template is well-formed");
    ProgressBar::new(bytes).with_style(style)
}
