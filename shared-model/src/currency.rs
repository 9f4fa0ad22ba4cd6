crate::text_enum! {
    /// The currency of amounts. Their minor unit is the penny.
    pub enum Currency {
        Gbp = "GBP",
    }
}
