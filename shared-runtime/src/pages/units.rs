//! Times and sizes on pages.

use maud::{Markup, html};
use shared_model::Timestamp;

use super::language::Language;

/// A time to the minute, in UTC. The script shows it in the reader's zone.
pub fn time(at: Timestamp) -> Markup {
    let text = at.to_string();
    let [year, month, day, clock] = [0..4, 5..7, 8..10, 11..16].map(|part| text.get(part).unwrap_or_default());
    let minute = match Language::current() {
        Language::English => format!("{year}-{month}-{day} {clock} UTC"),
        Language::German => format!("{day}.{month}.{year} {clock} UTC"),
    };
    html! { time datetime=(text) { (minute) } }
}

/// A size with one decimal.
pub fn bytes(bytes: i64) -> String {
    // Tenths by whole numbers: nothing is rounded up to what is not there.
    let point = match Language::current() {
        Language::English => '.',
        Language::German => ',',
    };
    let tenths = |unit: i64| format!("{}{point}{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        ..1_000 => text!("{n} bytes").filled(&[("n", &bytes)]),
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
        assert_eq!(Language::German.of_part(|| [999, 1_000].map(bytes)), ["999 Bytes", "1,0 kB"]);
    }

    #[test]
    fn times_are_written_as_the_language_writes_them() {
        let at = Timestamp::parse("2026-11-25T21:03:44Z").expect("a time");
        assert!(time(at).0.ends_with(">2026-11-25 21:03 UTC</time>"), "{}", time(at).0);
        let german = Language::German.of_part(|| time(at)).0;
        assert!(german.ends_with(">25.11.2026 21:03 UTC</time>"), "{german}");
    }
}
