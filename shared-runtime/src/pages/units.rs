//! Times and sizes on pages.

use maud::{Markup, html};
use shared_model::Timestamp;

/// A time to the minute, in UTC. The script shows it in the reader's zone.
pub fn time(at: Timestamp) -> Markup {
    let text = at.to_string();
    let minute: String = text.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    html! { time datetime=(text) { (minute) " UTC" } }
}

/// A size with one decimal.
pub fn bytes(bytes: i64) -> String {
    // Tenths by whole numbers: nothing is rounded up to what is not there.
    let tenths = |unit: i64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        ..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_tenth() {
        let shown = [999, 1_000, 2_150_000, 3_999_999_999].map(bytes);
        assert_eq!(shown, ["999 bytes", "1.0 kB", "2.1 MB", "3.9 GB"]);
    }
}
