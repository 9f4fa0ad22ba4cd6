//! What was asked of the locker and takes a while: queued by a command, done by a worker, watched by its owner.

mod read;
pub mod store;
mod view;

use shared_model::Timestamp;

use crate::{
    ids::{OperationId, OrderId, RoomId},
    image_digest::ImageDigest,
    model_check::Checked,
};

pub use read::read;
pub use view::OperationView;

/// Seconds after which it is worth to look again.
pub const POLL_SECONDS: u64 = 2;

shared_model::text_enum! {
    /// What is done.
    pub enum OperationKind {
        /// A room's model is asked whether it answers.
        ModelTest = "model_test",
    }

    /// Where an operation stands.
    pub enum OperationStatus {
        /// Waiting for a worker.
        Queued = "queued",
        /// Waiting for a worker; the room has an order that is not paid yet.
        CheckoutQueued = "checkout_queued",
        /// Being done.
        Running = "running",
        /// Done, and the outcome is `ok`.
        Succeeded = "succeeded",
        /// Done, and the outcome is another.
        Failed = "failed",
        /// Not done: the room no longer admits it.
        Cancelled = "cancelled",
        /// Not done: no worker could do it in time. It says nothing about the room.
        Expired = "expired",
    }
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its id.
    pub id: OperationId,
    /// What is done.
    pub kind: OperationKind,
    /// The subject that asked for it.
    pub owner: String,
    /// The room that it is about.
    pub room_id: RoomId,
    /// Where it stands.
    pub status: OperationStatus,
    /// The image that the room was pinned to when it was asked for.
    pub image_digest: ImageDigest,
    /// The order of the room that was placed and not paid then.
    pub order_id: Option<OrderId>,
    /// What came of it.
    pub result: Option<Checked>,
    /// When it was asked for.
    pub queued_at: Timestamp,
    /// When a worker first began.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// How an operation ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// With this result.
    Checked(Box<Checked>),
    /// The room no longer admits it.
    Cancelled,
    /// Nobody could do it in time.
    Expired,
}
