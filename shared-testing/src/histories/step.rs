//! One step of a history.

use super::dice::Dice;

/// Everything about a step follows from this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub number: String,
    pub seed: u64,
    pub trouble: Trouble,
}

/// What happens to a command on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    None,
    /// The client waits for this many milliseconds at most, and reads no answer.
    Cut(u64),
    /// The process is killed after this many milliseconds, and started again.
    Kill(u64),
    /// The primary of PostgreSQL stops after this many milliseconds. Without a standby, as [`Trouble::Kill`].
    FailOver(u64),
    /// Redis forgets everything before the command.
    Flush,
}

/// The steps of a history.
pub fn steps(seed: u64, length: usize) -> Vec<Step> {
    let mut dice = Dice::of(seed);
    let mut step = |index: usize| {
        let (seed, trouble) = (dice.below(u64::MAX), dice.below(1000));
        // Mostly a few: many answers come within a millisecond.
        let millis = dice.below(25).min(dice.below(25)).min(dice.below(25));
        // Kills are rare, because a start takes as long as fifty commands.
        let trouble = match trouble {
            0..6 => Trouble::FailOver(millis),
            6..8 => Trouble::Kill(millis),
            8..35 => Trouble::Cut(millis),
            35..50 => Trouble::Flush,
            _ => Trouble::None,
        };
        Step { number: index.to_string(), seed, trouble }
    };
    (1..=length).map(&mut step).collect()
}
