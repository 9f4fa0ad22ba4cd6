//! The text of a cell as a person sees it. Of number formats only zeros are applied: `0.00`.

use calamine::{DataRef, ExcelDateTime};

use crate::spreadsheets::xlsx::number::{general, in_zeros};

/// Dates from 1899-12-30 to 9999-12-31.
const DAYS: std::ops::Range<f64> = 0.0..2_958_466.0;

/// `None` for an empty cell.
pub fn text(value: &DataRef<'_>, number_format: Option<&str>) -> Option<String> {
    let number = |number: f64| number_format.and_then(|f| in_zeros(number, f)).unwrap_or_else(|| general(number));
    Some(match value {
        DataRef::Empty => return None,
        DataRef::Int(value) => value.to_string(),
        DataRef::Float(value) => number(*value),
        DataRef::String(text) => line_ends(text),
        DataRef::SharedString(text) => line_ends(text),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::DateTime(moment) if DAYS.contains(&moment.as_f64()) => {
            if moment.is_duration() {
                duration(moment.as_f64())
            } else {
                date_time(moment)
            }
        }
        DataRef::DateTime(moment) => general(moment.as_f64()),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => error.to_string(),
    })
}

fn line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// `2026-11-22`, `2026-11-22 09:30:00`, or `09:30:00` for a time without a day.
fn date_time(moment: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let (date, time) = (format!("{year:04}-{month:02}-{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"));
    let days = moment.as_f64();
    match (days < 1.0, days.fract() == 0.0) {
        (true, _) => time,
        (false, true) => date,
        (false, false) => format!("{date} {time}"),
    }
}

/// `26:30:00`
fn duration(days: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "fewer than three million days")]
    let seconds = (days * 86_400.0).round() as u64;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
