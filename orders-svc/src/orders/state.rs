//! The states of an order, and the transitions between them.

shared_model::text_enum! {
    /// The state of an order: placed → awaiting_payment → paid → provisioning → completed. It can also end as
    /// cancelled, expired, failed or refunded.
    pub enum OrderState {
        /// Not placed yet. The API does not show drafts.
        Draft = "draft",
        Placed = "placed",
        AwaitingPayment = "awaiting_payment",
        Paid = "paid",
        /// The ordered products are being set up.
        Provisioning = "provisioning",
        Completed = "completed",
        Cancelled = "cancelled",
        Expired = "expired",
        /// The order could not be fulfilled.
        Failed = "failed",
        Refunded = "refunded",
    }
}

impl OrderState {
    /// The states that can follow directly.
    pub const fn followers(self) -> &'static [Self] {
        match self {
            Self::Draft => &[Self::Placed],
            Self::Placed => &[Self::AwaitingPayment, Self::Paid, Self::Cancelled, Self::Expired, Self::Failed],
            Self::AwaitingPayment => &[Self::Paid, Self::Cancelled, Self::Expired, Self::Failed],
            Self::Paid => &[Self::Provisioning, Self::Completed, Self::Cancelled, Self::Failed, Self::Refunded],
            Self::Provisioning => &[Self::Completed, Self::Cancelled, Self::Failed, Self::Refunded],
            Self::Completed | Self::Cancelled | Self::Expired | Self::Failed => &[Self::Refunded],
            Self::Refunded => &[],
        }
    }

    // A free order has nothing to pay and still goes through these states.
    pub const fn is_paid(self) -> bool {
        matches!(self, Self::Paid | Self::Provisioning | Self::Completed)
    }

    // No further payment is expected, so nothing is due.
    pub const fn is_void(self) -> bool {
        matches!(self, Self::Cancelled | Self::Expired | Self::Failed | Self::Refunded)
    }
}
