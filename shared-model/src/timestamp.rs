//! A point in time in microseconds since 1970-01-01T00:00:00Z. BIGINT in a database, RFC 3339 with six decimals in
//! JSON.

use std::{fmt, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use time::{Date, Month, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::json_reader::{FromJson, JsonReader};

pub const RULE: &str = "must be an RFC 3339 timestamp from 1970 to 9999, like 2026-11-21T09:30:00Z";

// For values that are stored exactly as they were sent.
pub const PATTERN: &str =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$";

/// Microseconds since the Unix epoch, UTC.
// Parsed and computed values stay within 1970 to 9999, because RFC 3339 cannot write others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const LAST: Self = Self(253_402_300_799_999_999);

    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000_000))
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX))).min(Self::LAST)
    }

    /// The same time on the same day of the next month, or on its last day if that month is shorter.
    pub fn plus_month(self) -> Self {
        let moved = || {
            let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000).ok()?;
            let month = at.month().next();
            let year = at.year() + i32::from(month == Month::January);
            let date = Date::from_calendar_date(year, month, at.day().min(month.length(year))).ok()?;
            i64::try_from(at.replace_date(date).unix_timestamp_nanos() / 1_000).ok()
        };
        moved().map_or(self, Self)
    }

    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_micros()).unwrap_or(i64::MAX)))
    }

    /// Parses RFC 3339 with any offset, from 1970 to 9999 in UTC. Drops digits below a microsecond.
    pub fn parse(text: &str) -> Option<Self> {
        let instant = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        // Rounds down: a parsed time is never later than the one that was sent.
        let micros = i64::try_from(instant.unix_timestamp_nanos().div_euclid(1_000)).ok()?;
        (0..=Self::LAST.0).contains(&micros).then_some(Self(micros))
    }
}

impl fmt::Display for Timestamp {
    // Always six decimals, so that the text sorts by time. Values outside of 1970 to 9999 are written as the nearest
    // one within.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = i128::from(self.0.clamp(0, Self::LAST.0)) * 1_000;
        let at = OffsetDateTime::from_unix_timestamp_nanos(nanos).expect("1970 to 9999 are years of the calendar");
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
            at.year(),
            u8::from(at.month()),
            at.day(),
            at.hour(),
            at.minute(),
            at.second(),
            at.microsecond()
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(input)?).ok_or_else(|| D::Error::custom(RULE))
    }
}

impl FromJson for Timestamp {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        Self::parse(reader.str()?).or_else(|| reader.refuse(RULE))
    }
}

crate::integer_in_database!(Timestamp);

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .format(Some(utoipa::openapi::SchemaFormat::KnownFormat(utoipa::openapi::KnownFormat::DateTime)))
            .into()
    }
}
impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_and_instant_are_two_spellings_of_one_thing() {
        let timestamp = Timestamp::from_micros(1_795_253_400_000_001);
        assert_eq!(timestamp.to_string(), "2026-11-21T09:30:00.000001Z");
        assert_eq!(Timestamp::parse(&timestamp.to_string()), Some(timestamp));
        assert_eq!(Timestamp::parse("2026-11-21T10:30:00.000001+01:00"), Some(timestamp));
        assert_eq!(Timestamp::parse("yesterday"), None);
    }

    #[test]
    fn times_that_cannot_be_written_are_refused() {
        for text in [
            "9999-12-31T23:00:00-12:00",
            "0000-01-01T00:00:00+12:00",
            "1969-12-31T23:59:59.999999Z",
            "1970-01-01T00:00:00+00:01",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
        for (text, micros) in [("1970-01-01T00:00:00Z", 0), ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999)] {
            assert_eq!(Timestamp::parse(text).map(Timestamp::micros), Some(micros));
        }
    }

    proptest! {
        #[test]
        fn a_parsed_time_is_written_and_parsed_again(
            year in 0..=9999_u16, month in 1..=12_u8, day in 1..=28_u8, second in 0..86_400_u32, nanos in 0..1_000_000_000_u32,
            sign in prop::sample::select(vec!['+', '-']), hour in 0..24_u8, minute in 0..60_u8,
        ) {
            let time = format!("{:02}:{:02}:{:02}.{nanos:09}", second / 3600, second / 60 % 60, second % 60);
            let text = format!("{year:04}-{month:02}-{day:02}T{time}{sign}{hour:02}:{minute:02}");
            match Timestamp::parse(&text) {
                Some(timestamp) => prop_assert_eq!(Timestamp::parse(&timestamp.to_string()), Some(timestamp)),
                None => prop_assert!(matches!(year, 0..=1970 | 9999), "{} is not read", text),
            }
        }

        #[test]
        fn every_instant_can_be_written_and_every_later_one(micros in any::<i64>(), seconds in any::<u64>()) {
            let timestamp = Timestamp::from_micros(micros);
            let later = timestamp.plus(Duration::from_secs(seconds));
            prop_assert!(later <= Timestamp::LAST);
            for timestamp in [timestamp, later, timestamp.minus(Duration::from_secs(seconds)), timestamp.plus_month()] {
                prop_assert!(Timestamp::parse(&timestamp.to_string()).is_some());
            }
        }
    }

    #[test]
    fn a_month_ends_on_the_same_day_or_on_the_last() {
        for (from, to) in [
            ("2026-11-21T09:30:00Z", "2026-12-21T09:30:00Z"),
            ("2026-12-31T23:59:59Z", "2027-01-31T23:59:59Z"),
            ("2027-01-31T00:00:00Z", "2027-02-28T00:00:00Z"),
            ("2028-01-30T00:00:00Z", "2028-02-29T00:00:00Z"),
        ] {
            assert_eq!(Timestamp::parse(from).map(Timestamp::plus_month), Timestamp::parse(to));
        }
    }
}
