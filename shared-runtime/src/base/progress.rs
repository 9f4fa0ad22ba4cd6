//! The progress bar of commands that take a while.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many of these things on standard error, drawn only where that is a terminal.
pub fn bar_of(number: u64, things: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{percent:>3}} %  {{human_pos}} of {{human_len}} {things}  {{eta}}");
    let style = ProgressStyle::with_template(&template).expect("the template is well-formed");
    ProgressBar::new(number).with_style(style)
}

/// A bar for so many bytes on standard error, drawn only where that is a terminal.
pub fn bar(bytes: u64) -> ProgressBar {
    styled(bytes, "{bar:40} {percent:>3} %  {bytes} of {total_bytes}  {eta}")
}

/// The same for so many things that are counted.
pub fn count(things: u64) -> ProgressBar {
    styled(things, "{bar:40} {percent:>3} %  {human_pos} of {human_len}  {eta}")
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    ProgressBar::new(length).with_style(style)
}
