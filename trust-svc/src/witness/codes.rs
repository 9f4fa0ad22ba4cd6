//! The refusals of a witness. C2SP tlog-witness defines their statuses.

#[rustfmt::skip]
shared_model::code_table! {
    CHECKPOINT_NOT_SIGNED = "checkpoint_not_signed", 403, ContactSupport, "The checkpoint is not signed by any key that this witness has for the log.";
    UNKNOWN_LOG           = "unknown_log",           404, ContactSupport, "This witness does not watch a log with this origin.";
    CHECKPOINT_FORKED     = "checkpoint_forked",     409, ContactSupport, "The witness has cosigned another tree of this size.";
    PROOF_INVALID         = "proof_invalid",         422, CorrectOne("", "must have the consistency proof from the old size to the size of the checkpoint"), "The consistency proof is not valid.";
}
