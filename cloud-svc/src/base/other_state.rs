//! What the refusal of a step says if a plan or a proposal is in another state.

/// `what` is a plan or a proposal. States are words of the sentence here, and no values.
pub fn message(what: &str, wanted: &[&str], is: &str) -> String {
    format!("The {what} must be {} for this, and is {is}.", wanted.join(" or ")).replace('_', " ")
}
