//! Ids of the Orders API's things, and of the locker's that an order speaks of.

shared_model::hex_ids! {
    /// An order.
    pub struct OrderId = "ord";
    /// A subscription that an order has led to.
    pub struct SubscriptionId = "sub";
    /// The room that an order is for.
    pub struct RoomId = "room";
}
