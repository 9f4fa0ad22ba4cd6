//! The ids of Locker. Ids of orders are made by the Orders service.

shared_model::hex_ids! {
    /// Identifies a room.
    pub struct RoomId = "room";
    /// Identifies a subscription that pays for a room.
    pub struct SubscriptionId = "sub";
    /// Identifies an export of a room.
    pub struct ExportId = "exp";
    /// Identifies a download link, for support.
    pub struct DownloadLinkId = "dg";
    /// Identifies an order in the Orders API.
    pub struct OrderId = "ord";
    /// Identifies a long-running operation.
    pub struct OperationId = "op";
}
