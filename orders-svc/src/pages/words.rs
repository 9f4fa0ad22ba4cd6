//! States and amounts in words.

use crate::orders::{OrderState, PaymentStatus};

pub fn state(state: OrderState) -> &'static str {
    match state {
        OrderState::Draft => "Draft",
        OrderState::Placed => "Placed",
        OrderState::AwaitingPayment => "Waits for payment",
        OrderState::Paid => "Paid",
        OrderState::Provisioning => "Being set up",
        OrderState::Completed => "Completed",
        OrderState::Cancelled => "Cancelled",
        OrderState::Expired => "Expired",
        OrderState::Failed => "Failed",
        OrderState::Refunded => "Refunded",
    }
}

pub fn payment(status: PaymentStatus) -> &'static str {
    match status {
        PaymentStatus::Unpaid => "not paid",
        PaymentStatus::Pending => "pending",
        PaymentStatus::Paid => "paid",
        PaymentStatus::Failed => "failed",
        PaymentStatus::PartiallyRefunded => "partly refunded",
        PaymentStatus::Refunded => "refunded",
    }
}

/// Pence as pounds: 9360 is `93.60 GBP`.
// Whole numbers only: nothing is rounded.
pub fn amount(minor: i64, currency: &str) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let minor = minor.unsigned_abs();
    format!("{sign}{}.{:02} {currency}", minor / 100, minor % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pence_become_pounds_exactly() {
        for (minor, shown) in [(0, "0.00 GBP"), (5, "0.05 GBP"), (9_360, "93.60 GBP"), (-101, "-1.01 GBP")] {
            assert_eq!(amount(minor, "GBP"), shown);
        }
    }
}
