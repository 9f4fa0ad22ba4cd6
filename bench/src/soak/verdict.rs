//! What was promised, and what was measured.

use std::time::Duration;

use anyhow::{Result, ensure};

/// Counts the promises that were kept and broken, and prints each.
pub struct Verdict {
    kept: u32,
    broken: u32,
}

impl Verdict {
    /// The head of the table.
    pub fn begin() -> Self {
        println!("{:<72} {:>14} {:>14}", "", "measured", "promised");
        Self { kept: 0, broken: 0 }
    }

    /// What an attack was like.
    pub fn note(text: &str) {
        println!("{text}");
    }

    /// At most so much of something, in a unit.
    pub fn at_most(&mut self, what: &str, measured: f64, promised: f64, unit: &str) {
        let texts = (format!("{measured:.1} {unit}"), format!("<= {promised:.0} {unit}"));
        self.line(what, measured <= promised, &texts);
    }

    /// At least so many: an attack that did not happen shows nothing.
    pub fn at_least(&mut self, what: &str, measured: u64, promised: u64) {
        self.line(what, measured >= promised, &(measured.to_string(), format!(">= {promised}")));
    }

    fn line(&mut self, what: &str, is_kept: bool, (measured, promised): &(String, String)) {
        *(if is_kept { &mut self.kept } else { &mut self.broken }) += 1;
        println!("  {what:<70} {measured:>14} {promised:>14}{}", if is_kept { "" } else { "  BROKEN" });
    }

    /// At most this long.
    pub fn within(&mut self, what: &str, measured: Duration, promised: Duration) {
        let millis = |duration: Duration| duration.as_secs_f64() * 1e3;
        self.at_most(what, millis(measured), millis(promised), "ms");
    }

    /// The last line; an error when a promise was broken.
    pub fn end(self) -> Result<()> {
        println!("soak: {} promises kept, {} broken", self.kept, self.broken);
        ensure!(self.broken == 0, "not every promise was kept");
        Ok(())
    }
}
