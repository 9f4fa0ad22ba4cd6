//! Promises, and what was measured for each.

use std::time::Duration;

use anyhow::{Result, ensure};

/// Prints and counts kept and broken promises.
pub struct Verdict {
    kept: u32,
    broken: u32,
}

impl Verdict {
    pub fn begin() -> Self {
        println!("{:<72} {:>14} {:>14}", "", "measured", "promised");
        Self { kept: 0, broken: 0 }
    }

    pub fn note(text: &str) {
        println!("{text}");
    }

    pub fn at_most(&mut self, what: &str, measured: f64, promised: f64, unit: &str) {
        let texts = (format!("{measured:.1} {unit}"), format!("<= {promised:.0} {unit}"));
        self.line(what, measured <= promised, &texts);
    }

    // A lower bound, mostly for the attack itself: an attack that did not happen proves nothing.
    pub fn at_least(&mut self, what: &str, measured: u64, promised: u64) {
        self.line(what, measured >= promised, &(measured.to_string(), format!(">= {promised}")));
    }

    fn line(&mut self, what: &str, is_kept: bool, (measured, promised): &(String, String)) {
        *(if is_kept { &mut self.kept } else { &mut self.broken }) += 1;
        println!("  {what:<70} {measured:>14} {promised:>14}{}", if is_kept { "" } else { "  BROKEN" });
    }

    pub fn within(&mut self, what: &str, measured: Duration, promised: Duration) {
        let millis = |duration: Duration| duration.as_secs_f64() * 1e3;
        self.at_most(what, millis(measured), millis(promised), "ms");
    }

    /// Prints the last line; an error if a promise was broken.
    pub fn end(self) -> Result<()> {
        println!("soak: {} promises kept, {} broken", self.kept, self.broken);
        ensure!(self.broken == 0, "not every promise was kept");
        Ok(())
    }
}
