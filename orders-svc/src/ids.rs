//! The ids of Orders. Ids of subscriptions and rooms are made by Locker.

shared_model::hex_ids! {
    /// An order.
    pub struct OrderId = "ord";
    /// A subscription that an order has led to.
    pub struct SubscriptionId = "sub";
    /// The room that an order is for.
    pub struct RoomId = "room";
}
