//! Sums that lose no small numbers between large ones.

use super::arithmetic::nearly_equal;

/// A compensated sum (Neumaier's). The last number waits, because a sum that is nearly zero with it is zero.
#[derive(Default)]
pub struct Sum {
    sum: f64,
    lost: f64,
    last: f64,
}

impl Sum {
    pub fn add(&mut self, number: f64) {
        if number == 0.0 {
            return;
        }
        let waiting = std::mem::replace(&mut self.last, number);
        self.take(waiting);
    }

    pub fn total(mut self) -> f64 {
        let before = self.sum + self.lost;
        if nearly_equal(self.last, -before) {
            return 0.0;
        }
        let last = self.last;
        self.take(last);
        self.sum + self.lost
    }

    fn take(&mut self, number: f64) {
        let sum = self.sum + number;
        self.lost += if self.sum.abs() >= number.abs() { (self.sum - sum) + number } else { (number - sum) + self.sum };
        self.sum = sum;
    }
}
