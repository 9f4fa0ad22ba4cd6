//! The table of jobs.

diesel::table! {
    /// Work to be done outside of any request.
    jobs (id) {
        /// Never used twice.
        id -> BigInt,
        /// The kind's name.
        kind -> Text,
        /// Unique in its kind.
        key -> Text,
        /// The handler's input.
        payload -> Text,
        /// When it is due.
        run_at -> BigInt,
        /// Attempts that were started and not handed back.
        attempts -> BigInt,
        /// Increases with each lease.
        epoch -> BigInt,
        /// When the lease expires.
        lease_until -> Nullable<BigInt>,
        /// The worker that has the lease.
        holder -> Nullable<Text>,
    }
}
