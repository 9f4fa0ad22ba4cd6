//! The currency of every amount (spec: catalogue).

crate::text_enum! {
    /// What amounts are counted in; their minor unit is the penny.
    pub enum Currency {
        /// Pound sterling.
        Gbp = "GBP",
    }
}
