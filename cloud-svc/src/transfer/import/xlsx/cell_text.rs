//! The text of a cell as a person sees it. Number formats are not applied.

use calamine::{DataRef, ExcelDateTime};

/// Dates from 1899-12-30 to 9999-12-31.
const DAYS: std::ops::Range<f64> = 0.0..2_958_466.0;

/// `None` for an empty cell.
pub fn text(value: &DataRef<'_>) -> Option<String> {
    Some(match value {
        DataRef::Empty => return None,
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => decimal(*number),
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
        DataRef::DateTime(moment) => decimal(moment.as_f64()),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => error.to_string(),
    })
}

// Programs show 15 digits; 0.1 + 0.2 has more.
fn decimal(number: f64) -> String {
    let shown: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    // `+ 0.0` turns -0 into 0.
    (shown + 0.0).to_string()
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
