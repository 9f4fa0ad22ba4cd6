//! Uploads that are text: shown as text, or as a table if their name ends in `.csv`.

use csv::{ReaderBuilder, StringRecord};
use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{SignedIn, scrollable};

use super::stored;
use crate::{
    base::ids::VersionId,
    faces::pages::{contents::shown::Shown, download::granted, paging, phrases::counted},
    files::{file::FileRecord, versions::read::UploadedContent},
};
use cloud_content::spreadsheets::import::csv::separator;

/// Larger files are downloaded: a page must not take seconds.
const BYTES: i64 = 1_048_576;
/// More columns than people read.
const COLUMNS: usize = 100;
// About the bytes of HTML around a cell or a line.
const AROUND: usize = 24;

/// Empty for what is not text.
// By the bytes, not by the name: what is called a text and is none would be shown as nonsense.
pub async fn show(
    visit: &SignedIn,
    file: &FileRecord,
    version: VersionId,
    uploaded: &UploadedContent,
    shown: &Shown<'_>,
) -> Result<Markup, Error> {
    if !(1..=BYTES).contains(&uploaded.bytes) {
        return Ok(Markup::default());
    }
    let link = granted(visit, file.id, &version.to_string(), None).await?;
    let bytes = stored::sent(visit, &link, None).await?.into_bytes().await?;
    let Some(text) = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) else {
        return Ok(Markup::default());
    };
    let rows = if is_csv(&file.name) { rows(&text) } else { None };
    Ok(match rows {
        Some(rows) => table(&rows, shown),
        None => lines(&text, shown),
    })
}

fn is_csv(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("csv"))
}

/// `None` if it is not CSV.
fn rows(text: &str) -> Option<Vec<StringRecord>> {
    let delimiter = separator(text);
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    reader.records().collect::<Result<_, _>>().ok()
}

fn table(rows: &[StringRecord], shown: &Shown<'_>) -> Markup {
    let costs = rows.iter().map(|row| row.iter().take(COLUMNS).map(|cell| cell.len() + AROUND).sum());
    let (range, part) = paging::cut(costs, shown.page);
    let first = range.start;
    let more = rows.iter().any(|row| row.len() > COLUMNS);
    html! {
        p.note {
            (counted(rows.len(), text!("{n} row"), text!("{n} rows"))) @if more {
                ". " (text!("Only {n} columns are shown.", n = COLUMNS))
            }
        }
        (scrollable(text!("The table"), html! {
            table.grid {
                tbody {
                    @for (index, row) in rows[range].iter().enumerate() {
                        tr {
                            th scope="row" { (first + index + 1) }
                            @for cell in row.iter().take(COLUMNS) { td dir="auto" { (cell) } }
                        }
                    }
                }
            }
        }))
        (shown.links(part))
    }
}

fn lines(text: &str, shown: &Shown<'_>) -> Markup {
    // A line may be longer than a page, so it is cut where a character begins.
    let pieces = pieces(text);
    let (range, part) = paging::cut(pieces.iter().map(|piece| piece.len() + 1), shown.page);
    html! {
        pre dir="auto" { @for piece in &pieces[range] { (piece) } }
        (shown.links(part))
    }
}

/// Lines with their ends; long ones in pieces.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while rest.len() > paging::PAGE_COST / 2 {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(paging::PAGE_COST / 2));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_nothing_is_lost() {
        let text = format!("a\n{}\nb", "é".repeat(100_000));
        let pieces = pieces(&text);
        assert_eq!(pieces.concat(), text);
        assert!(pieces.iter().all(|piece| piece.len() <= paging::PAGE_COST / 2));
    }

    #[test]
    fn semicolons_and_commas_separate() {
        let read = |text: &str| {
            rows(text)
                .expect("CSV")
                .iter()
                .map(|row| row.iter().map(str::to_owned).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        assert_eq!(read("a,\"b,c\"\nd\n"), [vec!["a", "b,c"], vec!["d"]]);
        assert_eq!(read("a;1,5\n"), [["a", "1,5"]]);
    }
}
