//! Importing a file of the catalogue, rooms and subscriptions: all of it, or nothing and every reason why not.

use shared_model::{Failure, FromJson as _, Problem, Timestamp};
use shared_runtime::{
    Conn, Context,
    base::encryption::Seal,
    import::{self, Importer, LineOutcome},
};

use crate::{
    catalogue::{self, Catalogue},
    rooms, subscriptions,
};

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// `{"catalogue": {…}}`
    Catalogue(Catalogue),
    /// `{"owner": "…", "room": {…}}`
    Room(rooms::Record),
    /// `{"owner": "…", "subscription": {…}}`
    Subscription(subscriptions::Record),
}

/// The importer of such files.
pub fn importer(context: &Context) -> Importer<Record> {
    let now = context.clock.now();
    let seal = rooms::key_seal(&context.secret);
    Importer::line_by_line(parse, move |conn, line| record(conn, line, &seal, now)).of_small_files(subject)
}

fn parse(line: &[u8]) -> Result<Record, Vec<Problem>> {
    import::parse_line(line, |reader| {
        let has = |name| reader.value().get(name).is_some();
        match (has("catalogue"), has("room"), has("subscription")) {
            (true, false, false) => {
                reader.object(|object| object.required("catalogue", Catalogue::from_json)).map(Record::Catalogue)
            }
            (false, true, false) => rooms::Record::from_json(reader).map(Record::Room),
            (false, false, true) => subscriptions::Record::from_json(reader).map(Record::Subscription),
            _ => reader.refuse("must have exactly one of the members \"catalogue\", \"room\" and \"subscription\""),
        }
    })
}

fn subject(line: &Record) -> String {
    match line {
        Record::Catalogue(_) => "catalogue".to_owned(),
        Record::Room(record) => record.room.id.to_string(),
        Record::Subscription(record) => record.subscription.id.to_string(),
    }
}

fn record(conn: &mut Conn, line: &Record, seal: &Seal, now: Timestamp) -> Result<LineOutcome, Failure> {
    match line {
        Record::Catalogue(catalogue) => catalogue::record(conn, catalogue, now),
        Record::Room(record) => rooms::record(conn, seal, record),
        Record::Subscription(record) => subscriptions::record(conn, record),
    }
}
