//! Ids of the locker's things.

shared_model::hex_ids! {
    /// A room, where an owner's package lives.
    pub struct RoomId = "room";
    /// A subscription that pays for a room.
    pub struct SubscriptionId = "sub";
    /// A portable package of a room.
    pub struct ExportId = "exp";
    /// The right to download one part of an export for a while.
    pub struct GrantId = "dg";
    /// A placed order of the Orders API.
    pub struct OrderId = "ord";
    /// Something that takes a while.
    pub struct OperationId = "op";
}
