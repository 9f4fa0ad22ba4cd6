//! The number of an order for people. It is derived from the id, so it does not reveal how many orders exist.

// Crockford's base 32: without I, L, O and U, which people confuse with other digits.
const BASE32_DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// `FF-7K3M-9QXD-2TPA`: sixty bits of the id.
pub fn from_id(id: [u8; 16]) -> String {
    let bits = u128::from_be_bytes(id) >> 68;
    let mut number = "FF".to_owned();
    for place in (0..12).rev() {
        if place % 4 == 3 {
            number.push('-');
        }
        let digit = (bits >> (5 * place)) & 31;
        number.push(char::from(BASE32_DIGITS[usize::try_from(digit).unwrap_or_default()]));
    }
    number
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_number_has_three_groups_of_four() {
        assert_eq!(super::from_id([0; 16]), "FF-0000-0000-0000");
        assert_eq!(super::from_id([0xff; 16]), "FF-ZZZZ-ZZZZ-ZZZZ");
        let mut one_last = [0; 16];
        one_last[7] = 0x10;
        assert_eq!(super::from_id(one_last), "FF-0000-0000-0001");
        one_last[7] = 0x0f;
        assert_eq!(super::from_id(one_last), "FF-0000-0000-0000", "the number does not show the rest of the id");
    }
}
