//! Arithmetic that hides the last bits of binary fractions, as spreadsheet programs do.

// The rules are those of LibreOffice's library `rtl::math`, because users compare what both programs show.

use super::value::CellError;

/// Integers beyond it are not all representable.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether two numbers differ in their last bits only. Integers are never nearly equal.
pub fn nearly_equal(one: f64, other: f64) -> bool {
    if one == other {
        return true;
    }
    if one == 0.0 || other == 0.0 || one.is_sign_negative() != other.is_sign_negative() {
        return false;
    }
    let difference = (one - other).abs();
    let bound = one.abs().min(other.abs()) * 2f64.powi(-48);
    difference < bound && !(is_integer(one) && is_integer(other))
}

fn is_integer(number: f64) -> bool {
    number.abs() < EXACT && number.trunc() == number
}

pub fn add(one: f64, other: f64) -> f64 {
    // `0.1+0.2-0.3` is 0 and not 5.6E-17.
    if nearly_equal(one, -other) { 0.0 } else { one + other }
}

pub fn divide(one: f64, other: f64) -> Result<f64, CellError> {
    if other == 0.0 { Err(CellError::DivideByZero) } else { Ok(one / other) }
}

pub fn power(base: f64, exponent: f64) -> Result<f64, CellError> {
    let result = match odd_root(exponent) {
        // The real root, which `powf` does not give: `(-8)^(1/3)` is -2.
        true if base < 0.0 => -(-base).powf(exponent),
        _ => base.powf(exponent),
    };
    let is_underflow = base != 0.0 && (result == 0.0 || result.is_subnormal());
    if result.is_finite() && !is_underflow { Ok(result) } else { Err(CellError::NotANumber) }
}

/// Whether it is the inverse of an odd number.
fn odd_root(exponent: f64) -> bool {
    let inverse = (1.0 / exponent).round();
    inverse.abs() < EXACT && inverse % 2.0 != 0.0 && nearly_equal(1.0 / inverse, exponent)
}

/// Rounds half away from zero, to `digits` after the point or, if negative, before it.
pub fn round(number: f64, digits: i16) -> f64 {
    let size = number.abs();
    if size == 0.0 || (digits >= 0 && (size >= EXACT / 2.0 || is_integer(size))) {
        return number;
    }
    if digits == 0 {
        return number.round();
    }
    let mut digits = i32::from(digits);
    if digits > 0 {
        // More binary places than these the number does not have.
        digits = digits.min(52 - exponent_of(size));
    }
    let factor = 10f64.powi(digits.abs());
    let shifted = if digits < 0 { size / factor } else { size * factor };
    if digits < 0 && factor.is_infinite() {
        return 0.0;
    }
    if shifted.is_infinite() {
        return number;
    }
    let whole = if shifted < EXACT / 2.0 { floor(shifted + 0.5) } else { shifted };
    let rounded = if digits < 0 { whole * factor } else { whole / factor };
    if rounded.is_finite() { rounded.copysign(number) } else { number }
}

/// The next lower integer, or the next higher one if the first 15 digits say so.
pub fn floor(number: f64) -> f64 {
    fifteen_digits(number).floor()
}

fn fifteen_digits(number: f64) -> f64 {
    // A larger number has at most eleven bits after the point, which no decimal rounding improves.
    const FEW_BITS: f64 = 2_199_023_255_552.0;
    if number.abs() > FEW_BITS || (number * 2048.0).fract() == 0.0 {
        return number;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a decimal exponent has three digits")]
    let places = 14 - number.abs().log10().floor() as i32;
    let factor = 10f64.powi(places);
    // Not finite where the number is so small that the factor is infinite.
    let rounded = (number * factor).round() / factor;
    if rounded.is_finite() { rounded } else { number }
}

/// The binary exponent.
fn exponent_of(number: f64) -> i32 {
    let bits = (number.to_bits() >> 52) & 0x7ff;
    i32::try_from(bits).unwrap_or(0) - 1023
}
