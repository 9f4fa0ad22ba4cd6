//! How far an order has come, and which states may follow which.

shared_model::text_enum! {
    /// How far an order has come: placed → awaiting_payment → paid → provisioning → completed, or one of the ends
    /// cancelled, expired, failed and refunded.
    pub enum OrderState {
        /// Not placed yet; no API shows it.
        Draft = "draft",
        /// Placed.
        Placed = "placed",
        /// Waits to be paid.
        AwaitingPayment = "awaiting_payment",
        /// Paid.
        Paid = "paid",
        /// What was ordered is being made ready.
        Provisioning = "provisioning",
        /// What was ordered is there.
        Completed = "completed",
        /// Called off.
        Cancelled = "cancelled",
        /// Not paid in time.
        Expired = "expired",
        /// Could not be carried out.
        Failed = "failed",
        /// Paid back.
        Refunded = "refunded",
    }
}

impl OrderState {
    /// The states that may come right after this one.
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

    /// Whether it has been paid, wholly or in part, unless it is free.
    pub const fn is_paid(self) -> bool {
        matches!(self, Self::Paid | Self::Provisioning | Self::Completed)
    }

    /// Whether nothing of it will be paid any more.
    pub const fn is_void(self) -> bool {
        matches!(self, Self::Cancelled | Self::Expired | Self::Failed | Self::Refunded)
    }
}
