//! The amounts of an order, computed from the totals of its lines in whole pence. Nothing is rounded.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{
    Problem,
    rule::{MINOR_MAX, MinorUnits},
};

use crate::tables::orders;

shared_model::json_object! {
    /// The amounts of an order, in pence.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = orders)]
    pub struct Amounts {
        pub subtotal_minor: i64 as MinorUnits,
        pub discount_minor: i64 as MinorUnits,
        pub tax_minor: i64 as MinorUnits,
        /// Subtotal minus discount plus tax.
        pub total_minor: i64 as MinorUnits,
        /// The paid amount, before refunds.
        pub paid_minor: i64 as MinorUnits,
        pub refunded_minor: i64 as MinorUnits,
        /// The unpaid amount: total minus paid, and 0 when the order is cancelled, expired, failed or refunded.
        pub due_minor: i64 as MinorUnits,
    }
}

impl Amounts {
    /// The amounts of an unpaid order; `Err` is the problem with its lines, discount or tax.
    pub fn unpaid(subtotal: Option<i64>, discount_minor: i64, tax_minor: i64) -> Result<Self, Problem> {
        let wrong = |at: &str, rule: String| Problem { at: at.to_owned(), rule };
        let subtotal_minor = subtotal.ok_or_else(|| wrong("/lines", format!("must add up to at most {MINOR_MAX}")))?;
        if discount_minor > subtotal_minor {
            return Err(wrong("/discount_minor", format!("must be at most {subtotal_minor}, the subtotal")));
        }
        // Every sum is checked: a client chooses the numbers, and an overflow would be a negative price.
        let before_tax = subtotal_minor - discount_minor;
        let total_minor = before_tax.checked_add(tax_minor).filter(|total| *total <= MINOR_MAX).ok_or_else(|| {
            let most = MINOR_MAX - before_tax;
            wrong("/tax_minor", format!("must be at most {most}, so that the total is at most {MINOR_MAX}"))
        })?;
        Ok(Self {
            subtotal_minor,
            discount_minor,
            tax_minor,
            total_minor,
            paid_minor: 0,
            refunded_minor: 0,
            due_minor: total_minor,
        })
    }

    /// The unpaid amount; 0 for an order that will never be paid.
    pub fn due(&self, is_void: bool) -> i64 {
        if is_void { 0 } else { self.total_minor.saturating_sub(self.paid_minor) }
    }
}

/// The sum of the line totals; `None` above the largest amount.
pub fn sum(line_totals: impl IntoIterator<Item = i64>) -> Option<i64> {
    let sum = line_totals.into_iter().try_fold(0_i64, i64::checked_add)?;
    (sum <= MINOR_MAX).then_some(sum)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn amounts_of_any_lines_are_consistent(
            prices in proptest::collection::vec((1..=1_000_000_i64, 0..=1_000_000_i64), 1..20),
            discount in 0..=1_000_000_000_i64,
            tax in 0..=1_000_000_000_i64,
        ) {
            let total = sum(prices.iter().map(|(quantity, unit)| i64::saturating_mul(*quantity, *unit)));
            let subtotal: i64 = prices.iter().map(|(quantity, unit)| quantity * unit).sum();
            match Amounts::unpaid(total, discount, tax) {
                Ok(amounts) => {
                    prop_assert_eq!(amounts.subtotal_minor, subtotal);
                    prop_assert_eq!(amounts.total_minor, subtotal - discount + tax);
                    prop_assert_eq!(amounts.due_minor, amounts.total_minor - amounts.paid_minor);
                }
                Err(_) => prop_assert!(discount > subtotal),
            }
        }

        #[test]
        fn no_numbers_overflow(
            prices in proptest::collection::vec((0..=i64::MAX, 0..=i64::MAX), 0..5),
            discount in 0..=i64::MAX,
            tax in 0..=i64::MAX,
        ) {
            let total = sum(prices.iter().map(|(quantity, unit)| i64::saturating_mul(*quantity, *unit)));
            if let Ok(amounts) = Amounts::unpaid(total, discount, tax) {
                prop_assert!((0..=MINOR_MAX).contains(&amounts.total_minor));
                prop_assert!((0..=MINOR_MAX).contains(&amounts.subtotal_minor));
            }
        }
    }
}
