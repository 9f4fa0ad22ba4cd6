//! The ids of changes in a preview.

shared_model::text_type! {
    /// Names a change of one plan, in the order in which the plan lists them: `c1`, `c2`.
    pub struct ChangeId {
        pattern = "^c[1-9][0-9]{0,5}$",
        example = "c1",
        rule = "must be the id of a change, such as c1",
        check = |text| text.strip_prefix('c').is_some_and(|digits| {
            (1..=6).contains(&digits.len()) && !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())
        }),
    }
}

impl ChangeId {
    /// The id of the change at this index.
    pub fn of_index(index: usize) -> Self {
        Self(format!("c{}", index + 1))
    }

    pub fn index(&self) -> usize {
        // The rule of the type lets only such numbers in.
        self.0[1..].parse::<usize>().map_or(usize::MAX, |number| number - 1)
    }
}
