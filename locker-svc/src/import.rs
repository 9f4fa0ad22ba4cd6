//! `locker-svc import`: reads a file of catalogues, rooms and subscriptions. Either every line is imported, or none,
//! with all problems reported.

use shared_model::{Failure, FromJson as _, Problem, Timestamp};
use shared_runtime::{
    Conn, Context,
    base::encryption::Encryptor,
    import::{self, Importer, LineOutcome},
};

use crate::{
    catalogue::{self, Catalogue},
    rooms::{self, RoomRecord},
    subscriptions::{self, SubscriptionRecord},
};

#[derive(Clone, Debug)]
pub enum ImportRecord {
    /// `{"catalogue": {…}}`
    Catalogue(Catalogue),
    /// `{"owner": "…", "room": {…}}`
    Room(RoomRecord),
    /// `{"owner": "…", "subscription": {…}}`
    Subscription(SubscriptionRecord),
}

pub fn importer(context: &Context) -> Importer<ImportRecord> {
    let now = context.clock.now();
    let encryptor = rooms::key_encryptor(&context.secret);
    Importer::line_by_line(parse, move |conn, line| import_record(conn, line, &encryptor, now)).of_small_files(subject)
}

fn parse(line: &[u8]) -> Result<ImportRecord, Vec<Problem>> {
    import::parse_line(line, |reader| {
        let has = |name| reader.value().get(name).is_some();
        match (has("catalogue"), has("room"), has("subscription")) {
            (true, false, false) => {
                reader.object(|object| object.required("catalogue", Catalogue::from_json)).map(ImportRecord::Catalogue)
            }
            (false, true, false) => RoomRecord::from_json(reader).map(ImportRecord::Room),
            (false, false, true) => SubscriptionRecord::from_json(reader).map(ImportRecord::Subscription),
            // Guessing the kind from other members would give misleading problems, so the file must say it.
            _ => reader.refuse("must have exactly one of the members \"catalogue\", \"room\" and \"subscription\""),
        }
    })
}

// The importer refuses two lines with the same subject: within one transaction their order would decide.
fn subject(line: &ImportRecord) -> String {
    match line {
        ImportRecord::Catalogue(_) => "catalogue".to_owned(),
        ImportRecord::Room(record) => record.room.id.to_string(),
        ImportRecord::Subscription(record) => record.subscription.id.to_string(),
    }
}

fn import_record(
    conn: &mut Conn,
    line: &ImportRecord,
    encryptor: &Encryptor,
    now: Timestamp,
) -> Result<LineOutcome, Failure> {
    match line {
        ImportRecord::Catalogue(catalogue) => catalogue::import(conn, catalogue, now),
        ImportRecord::Room(record) => rooms::import(conn, encryptor, record),
        ImportRecord::Subscription(record) => subscriptions::import(conn, record),
    }
}
