//! Runs of parts with the same writer, as they are stored with a version.

use std::collections::HashMap;

use shared_model::Failure;

use crate::grid::{Area, Grid};

/// The version that last wrote a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Writer {
    /// A version from before authors were kept.
    Unknown,
    /// The version that the runs belong to. It has no number before it is stored.
    This,
    Version(i64),
}

/// Who wrote each part, grid by grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs(Vec<Vec<Band>>);

/// Rows that are alike.
// A column that somebody fills is one band of three spans, not three runs in each of two thousand rows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Band {
    rows: usize,
    spans: Vec<Span>,
}

/// Neighbors in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    columns: usize,
    writer: Writer,
}

/// Parts with the same writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The index of the table.
    pub grid: usize,
    pub area: Area,
    pub writer: Writer,
}

impl Runs {
    /// From the writers of all parts, grid by grid and row by row.
    pub fn new(grids: &[Grid], writers: &[Writer]) -> Self {
        let mut rest = writers;
        let bands = grids.iter().map(|grid| {
            let (here, behind) = rest.split_at(grid.parts().min(rest.len()));
            rest = behind;
            let mut bands = Vec::<Band>::new();
            for row in here.chunks(grid.columns.max(1)) {
                let spans = row.chunk_by(PartialEq::eq).filter_map(|span| {
                    let writer = *span.first()?;
                    Some(Span { columns: span.len(), writer })
                });
                let spans: Vec<Span> = spans.collect();
                match bands.last_mut() {
                    Some(band) if band.spans == spans => band.rows += 1,
                    _ => bands.push(Band { rows: 1, spans }),
                }
            }
            bands
        });
        Self(bands.collect())
    }

    /// All parts by one writer.
    pub fn by_one(grids: &[Grid], writer: Writer) -> Self {
        Self::new(grids, &vec![writer; grids.iter().map(|grid| grid.parts()).sum()])
    }

    /// The writers of all parts, grid by grid and row by row.
    pub fn writers(&self) -> Vec<Writer> {
        let mut writers = Vec::new();
        for band in self.0.iter().flatten() {
            let row = band.spans.iter().flat_map(|span| std::iter::repeat_n(span.writer, span.columns));
            let row: Vec<Writer> = row.collect();
            (0..band.rows).for_each(|_| writers.extend_from_slice(&row));
        }
        writers
    }

    /// With the number of the version that they belong to.
    pub fn of_version(mut self, number: i64) -> Self {
        for span in self.0.iter_mut().flatten().flat_map(|band| &mut band.spans) {
            if span.writer == Writer::This {
                span.writer = Writer::Version(number);
            }
        }
        self
    }

    /// The runs as rectangles, from top to bottom and from left to right.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        for (grid, bands) in self.0.iter().enumerate() {
            // Spans that go on from band to band are one rectangle: their rows differ somewhere else.
            let mut open = HashMap::<(usize, usize, Writer), usize>::new();
            let (mut row, begin) = (0, runs.len());
            for band in bands {
                let (mut column, mut next) = (0, HashMap::new());
                for Span { columns, writer } in &band.spans {
                    let key = (column, *columns, *writer);
                    let rows = row..row + band.rows;
                    let index = open.get(&key).copied().unwrap_or_else(|| {
                        let area = Area { rows: rows.clone(), columns: column..column + columns };
                        runs.push(Run { grid, area, writer: *writer });
                        runs.len() - 1
                    });
                    runs[index].area.rows.end = rows.end;
                    next.insert(key, index);
                    column += columns;
                }
                row += band.rows;
                open = next;
            }
            runs[begin..].sort_by_key(|run| (run.area.rows.start, run.area.columns.start));
        }
        runs
    }

    /// JSON: for each grid its bands, `[rows, columns, writer, columns, writer, …]`.
    pub fn to_json(&self) -> Result<String, Failure> {
        let number = |number: usize| i64::try_from(number).map_err(|error| Failure::fault(error.to_string()));
        let band = |band: &Band| {
            let mut numbers = vec![number(band.rows)?];
            for span in &band.spans {
                numbers.extend([number(span.columns)?, span.writer.number()]);
            }
            Ok(numbers)
        };
        let grids: Result<Vec<Vec<Vec<i64>>>, Failure> =
            self.0.iter().map(|bands| bands.iter().map(band).collect()).collect();
        Ok(serde_json::to_string(&grids?)?)
    }

    pub fn from_json(json: &str) -> Result<Self, Failure> {
        let grids: Vec<Vec<Vec<i64>>> = serde_json::from_str(json)?;
        let number = |number: i64| usize::try_from(number).map_err(|error| Failure::fault(error.to_string()));
        let band = |numbers: Vec<i64>| {
            let (rows, spans) = numbers.split_first().ok_or_else(|| Failure::fault("a band without rows"))?;
            let spans = spans
                .chunks_exact(2)
                .map(|span| Ok(Span { columns: number(span[0])?, writer: Writer::of_number(span[1]) }));
            Ok(Band { rows: number(*rows)?, spans: spans.collect::<Result<_, Failure>>()? })
        };
        let bands = |bands: Vec<Vec<i64>>| bands.into_iter().map(band).collect::<Result<_, Failure>>();
        Ok(Self(grids.into_iter().map(bands).collect::<Result<_, Failure>>()?))
    }
}

// Versions are numbered from 1.
const UNKNOWN: i64 = -1;
const THIS: i64 = 0;

impl Writer {
    fn number(self) -> i64 {
        match self {
            Self::Unknown => UNKNOWN,
            Self::This => THIS,
            Self::Version(version) => version,
        }
    }

    fn of_number(number: i64) -> Self {
        match number {
            THIS => Self::This,
            version if version > THIS => Self::Version(version),
            _ => Self::Unknown,
        }
    }
}
