//! States and amounts in words.

use shared_runtime::pages::{Language, Text};

use crate::orders::{OrderState, PaymentStatus};

pub fn state(state: OrderState) -> Text {
    match state {
        OrderState::Draft => text!("Draft"),
        OrderState::Placed => text!("Placed"),
        OrderState::AwaitingPayment => text!("Waiting for payment"),
        OrderState::Paid => text!("Paid"),
        OrderState::Provisioning => text!("Being set up"),
        OrderState::Completed => text!("Completed"),
        OrderState::Cancelled => text!("Cancelled"),
        OrderState::Expired => text!("Expired"),
        OrderState::Failed => text!("Failed"),
        OrderState::Refunded => text!("Refunded"),
    }
}

pub fn payment(status: PaymentStatus) -> Text {
    match status {
        PaymentStatus::Unpaid => text!("not paid"),
        PaymentStatus::Pending => text!("pending"),
        PaymentStatus::Paid => text!("paid"),
        PaymentStatus::Failed => text!("failed"),
        PaymentStatus::PartiallyRefunded => text!("partly refunded"),
        PaymentStatus::Refunded => text!("refunded"),
    }
}

/// Pence as pounds: 9360 is `93.60 GBP`, and `93,60 GBP` in German.
// Whole numbers only: nothing is rounded.
pub fn amount(minor: i64, currency: &str) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let point = match Language::current() {
        Language::English => '.',
        Language::German => ',',
    };
    let minor = minor.unsigned_abs();
    format!("{sign}{}{point}{:02} {currency}", minor / 100, minor % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pence_become_pounds_exactly() {
        for (minor, shown) in [(0, "0.00 GBP"), (5, "0.05 GBP"), (9_360, "93.60 GBP"), (-101, "-1.01 GBP")] {
            assert_eq!(amount(minor, "GBP"), shown);
        }
        assert_eq!(Language::German.of_part(|| amount(-9_360, "GBP")), "-93,60 GBP");
    }
}
