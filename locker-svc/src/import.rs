//! Importing a file of the catalogue, rooms and subscriptions: all of it, or nothing and every reason why not.

use shared_model::{FromJson as _, Moment, Problem};
use shared_runtime::{
    Conn, Desk, Failure,
    import::{self, Outcome, whole::Whole},
    seal::Seal,
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
pub fn whole(desk: &Desk) -> Whole<Record, impl Fn(&mut Conn, &Record) -> Result<Outcome, Failure> + Send + 'static> {
    let now = desk.clock.now();
    let seal = rooms::key_seal(&desk.secret);
    Whole { parse, subject, record: move |conn: &mut Conn, line: &Record| record(conn, line, &seal, now) }
}

fn parse(line: &[u8]) -> Result<Record, Vec<Problem>> {
    import::parse_line(line, |node| {
        let has = |name| node.value().get(name).is_some();
        match (has("catalogue"), has("room"), has("subscription")) {
            (true, false, false) => {
                node.object(|members| members.required("catalogue", Catalogue::from_json)).map(Record::Catalogue)
            }
            (false, true, false) => rooms::Record::from_json(node).map(Record::Room),
            (false, false, true) => subscriptions::Record::from_json(node).map(Record::Subscription),
            _ => node.refuse("must have exactly one of the members \"catalogue\", \"room\" and \"subscription\""),
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

fn record(conn: &mut Conn, line: &Record, seal: &Seal, now: Moment) -> Result<Outcome, Failure> {
    match line {
        Record::Catalogue(catalogue) => catalogue::record(conn, catalogue, now),
        Record::Room(record) => rooms::record(conn, seal, record),
        Record::Subscription(record) => subscriptions::record(conn, record),
    }
}
