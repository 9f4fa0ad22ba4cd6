//! The URLs of receipts.

use shared_runtime::Routes;

use crate::{
    base::limits::{PUBLIC, READ},
    edits::{plans, receipts},
};

pub(super) fn declare(routes: &mut Routes) {
    routes
        .get("/v1/receipts", "list_receipts", &READ, receipts::list::list)
        .summary("List the signed receipts of decisions about plans.")
        .description(
            "Oldest first. Each approval, return, rejection, application and discard has one that names the hash of the one before. \
             They stay when files are purged, and name contents by their hashes only.",
        );
    routes
        .get("/v1/receipts/head", "get_receipts_head", &READ, receipts::head::read)
        .summary("Get a signed statement that names the last receipt.")
        .description(
            "Keep it: a later chain must go through it. It also shows whether receipts are missing at the end.",
        );
    routes
        .get("/v1/receipts/keys", "list_receipt_keys", &PUBLIC, receipts::keys::list)
        .summary("List the public keys that verify receipts.")
        .description("Public. Keys stay listed after a rotation. `key_id` follows from the key.");
    routes
        .get("/v1/files/{file_id}/edit-plans/{plan_id}/receipt", "get_plan_receipt", &READ, plans::receipt::read)
        .summary("Read the receipts of a plan.")
        .description("Oldest first; none while nobody has decided. They outlast the plan.");
}
