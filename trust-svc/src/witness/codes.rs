//! What a witness refuses beside the shared codes. Clients go by the statuses, which are those of C2SP tlog-witness.

#[rustfmt::skip]
shared_model::code_table! {
    CHECKPOINT_NOT_SIGNED = "checkpoint_not_signed", 403, ContactSupport, "No key that this witness has of the log has signed the checkpoint.";
    UNKNOWN_LOG           = "unknown_log",           404, ContactSupport, "This witness watches no log of this origin.";
    CHECKPOINT_FORKED     = "checkpoint_forked",     409, ContactSupport, "The witness has cosigned another tree of this size.";
    PROOF_INVALID         = "proof_invalid",         422, CorrectOne("", "must have the consistency proof from the old size to that of the checkpoint"), "The consistency proof does not hold.";
}
