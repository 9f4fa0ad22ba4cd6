//! A long-running operation, as it is stored.

use diesel::prelude::*;
use shared_model::Timestamp;

use crate::{
    connection_tests::probe::ProbeReport,
    ids::{OperationId, OrderId, RoomId},
    image_digest::ImageDigest,
    schema::operations,
};

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

/// A row of `operations`.
#[derive(Clone, Debug, Queryable, Insertable)]
#[diesel(table_name = operations)]
pub struct LongRunningOperation {
    /// The primary key.
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
    /// The unpaid order that the room had then.
    pub order_id: Option<OrderId>,
    /// The [`ProbeReport`], as JSON.
    pub result: Option<String>,
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
    Done(Box<ProbeReport>),
    /// The room no longer admits it.
    Cancelled,
    /// No worker could do it in time.
    Expired,
}
