//! An entry of the search with all its texts.

use std::{borrow::Cow, collections::HashMap, io::Read as _};

use diesel::{
    dsl::sql,
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool, Text},
};
use flate2::read::DeflateDecoder;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared};

use crate::{
    base::{
        id_list,
        ids::{FileId, WorkspaceId},
        owner::Owner,
        tables::{files, manifests, search_entries, versions},
    },
    files::{
        file::{File, FileState},
        store::{IsCurrent, conceal},
        tree,
    },
    workspace::limits,
};
use cloud_content::{
    content::Content,
    file_type::FileType,
    of_kind,
    written::{Spot, Written},
};

/// Comments of one file that the search knows, the newest.
pub const COMMENTS: i64 = 1_000;

/// A file, and what is written in it.
#[derive(Debug)]
pub struct Entry {
    pub sequence: i64,
    pub file: File,
    /// Native content; empty for others.
    content: String,
    /// The text of an upload, deflated.
    upload: Option<Vec<u8>>,
    /// Newest first.
    comments: Vec<Comment>,
}

#[derive(Debug, QueryableByName)]
struct Comment {
    #[diesel(sql_type = BigInt)]
    file_id: FileId,
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    text: String,
}

/// Which files a search may find.
#[derive(Clone, Copy, Debug)]
pub struct Findable {
    pub kind: Option<FileType>,
    /// Changed at this time or later.
    pub since: Option<Timestamp>,
    /// In this folder, or below it.
    pub below: Option<FileId>,
}

// Texts that are in memory at the same time.
const GROUP_BYTES: i64 = 8_388_608;

/// SQL: the bytes of all texts of an entry. Text becomes about a third of its size when it is deflated.
fn text_bytes() -> String {
    format!(
        "CAST(CASE WHEN versions.manifest_id IS NULL THEN coalesce(versions.content_bytes, 0) ELSE 0 END
            + 3 * coalesce(octet_length(manifests.text), 0)
            + coalesce((
                SELECT sum(octet_length(text)) FROM (
                    SELECT text FROM comments WHERE comments.file_id = files.id ORDER BY comments.id DESC LIMIT {COMMENTS}
                ) AS newest
            ), 0) AS BIGINT)"
    )
}

/// Splits the numbers: entries that have at most [`GROUP_BYTES`] of text together, at least one, and the others.
pub fn first_group<'s>(
    conn: &mut Conn,
    owner: WorkspaceId,
    sequences: &'s [i64],
) -> Result<(&'s [i64], &'s [i64]), Failure> {
    if sequences.len() <= 1 {
        return Ok((sequences, &[]));
    }
    let (before, after) = id_list::condition(conn, "search_entries.sequence");
    let listed = id_list::parameter(conn, sequences.iter().copied());
    let sizes = search_entries::table
        .inner_join(files::table.on(files::id.eq(search_entries::file_id)))
        .left_join(versions::table.on(IsCurrent))
        .left_join(manifests::table.on(manifests::id.nullable().eq(versions::manifest_id)))
        .filter(search_entries::workspace_id.eq(owner))
        .filter(sql::<Bool>(&before).bind::<Text, _>(listed).sql(after))
        .select((search_entries::sequence, sql::<BigInt>(&text_bytes())))
        .into_boxed();
    let sizes: HashMap<i64, i64> = prepared(sizes).load::<(i64, i64)>(conn)?.into_iter().collect();
    let mut bytes = 0;
    let fitting = sequences.iter().take_while(|sequence| {
        bytes += sizes.get(sequence).copied().unwrap_or_default();
        bytes <= GROUP_BYTES
    });
    Ok(sequences.split_at(fitting.count().max(1)))
}

/// The entries among these numbers, newest first. With `findable`, only those of visible files that it allows.
pub fn load(
    conn: &mut Conn,
    owner: WorkspaceId,
    sequences: &[i64],
    findable: Option<(Owner, &Findable)>,
) -> Result<Vec<Entry>, Failure> {
    let (before, after) = id_list::condition(conn, "search_entries.sequence");
    let listed = id_list::parameter(conn, sequences.iter().copied());
    let mut query = search_entries::table
        .inner_join(files::table.on(files::id.eq(search_entries::file_id)))
        .left_join(versions::table.on(IsCurrent))
        .left_join(manifests::table.on(manifests::id.nullable().eq(versions::manifest_id)))
        .filter(search_entries::workspace_id.eq(owner))
        .filter(sql::<Bool>(&before).bind::<Text, _>(listed).sql(after))
        .select((
            search_entries::sequence,
            File::as_select(),
            versions::content.nullable(),
            manifests::text.nullable(),
            sql::<Bool>("EXISTS (SELECT 1 FROM comments WHERE comments.file_id = files.id)"),
        ))
        .order(search_entries::sequence.desc())
        .into_boxed();
    if let Some((seen_by, Findable { kind, since, below })) = findable {
        limits::within_limits!(query, seen_by);
        query = query.filter(files::state.eq(FileState::Active).and(files::purged_at.is_null()));
        query = query.filter(sql::<Bool>(tree::IS_VISIBLE));
        if let Some(kind) = kind {
            query = query.filter(files::kind.eq(*kind));
        }
        if let Some(since) = since {
            query = query.filter(files::updated_at.ge(*since));
        }
        if let Some(folder) = below {
            query = query.filter(sql::<Bool>(tree::IS_BELOW).bind::<BigInt, _>(*folder).sql(")"));
        }
    }
    let mut found: Vec<Row> = prepared(query).load(conn)?;
    if let Some((seen_by, _)) = findable {
        conceal(conn, seen_by, found.iter_mut().map(|row| &mut row.1))?;
    }
    let commented: Vec<FileId> = found.iter().filter(|(.., is_commented)| *is_commented).map(|row| row.1.id).collect();
    let mut comments = comments(conn, &commented)?;
    let entry = |(sequence, file, content, upload, _): Row| Entry {
        comments: comments.remove(&file.id).unwrap_or_default(),
        content: content.unwrap_or_default(),
        sequence,
        file,
        upload,
    };
    Ok(found.into_iter().map(entry).collect())
}

type Row = (i64, File, Option<String>, Option<Vec<u8>>, bool);

fn comments(conn: &mut Conn, files: &[FileId]) -> Result<HashMap<FileId, Vec<Comment>>, Failure> {
    // Most files have none, and a statement takes longer than the look at the index.
    if files.is_empty() {
        return Ok(HashMap::new());
    }
    let listed = id_list::parameter(conn, files.iter().map(|file| file.number()));
    let (before, after) = id_list::condition(conn, "file_id");
    let query = format!(
        "SELECT file_id, id, text FROM (
             SELECT file_id, id, text, row_number() OVER (PARTITION BY file_id ORDER BY id DESC) AS place
             FROM comments WHERE {before}$1{after}
         ) AS placed WHERE place <= $2 ORDER BY id DESC"
    );
    let query = sql_query(query).bind::<Text, _>(listed).bind::<BigInt, _>(COMMENTS);
    let found: Vec<Comment> = on_each!(conn, |c| prepared(query).load(c))?;
    let mut by_file: HashMap<FileId, Vec<Comment>> = HashMap::new();
    for comment in found {
        by_file.entry(comment.file_id).or_default().push(comment);
    }
    Ok(by_file)
}

impl Entry {
    /// About how much there is to read.
    pub fn bytes(&self) -> usize {
        // Text becomes about a third of its size when it is deflated.
        let upload = self.upload.as_ref().map_or(0, |text| 3 * text.len());
        let comments: usize = self.comments.iter().map(|comment| comment.text.len()).sum();
        self.content.len() + upload + comments
    }

    /// Calls `then` with all texts in the order in which matches are shown, and with the tags.
    pub fn with_texts(&self, mut then: impl FnMut(&[Written<'_>], &[String])) -> Result<(), Failure> {
        let upload = self.upload.as_deref().map(inflated).transpose()?;
        let whole = |spot, text| Written { spot, text: Cow::Borrowed(text) };
        let mut with = |content: Vec<Written<'_>>, tags: &[String]| {
            let mut texts = vec![whole(Spot::Member("name"), &*self.file.name)];
            texts.extend(content);
            texts.extend(upload.as_deref().map(|text| whole(Spot::Member("content"), text)));
            texts.extend(self.comments.iter().map(|comment| whole(Spot::Comment(comment.id), &*comment.text)));
            then(&texts, tags);
        };
        let read = of_kind!(self.file.kind, C => {
            let content: C = serde_json::from_str(&self.content)?;
            with(content.written(), content.tags());
        });
        // Folders and uploads.
        if read.is_none() {
            with(Vec::new(), &[]);
        }
        Ok(())
    }
}

fn inflated(deflated: &[u8]) -> Result<String, Failure> {
    let mut text = String::new();
    let read = DeflateDecoder::new(deflated).read_to_string(&mut text);
    read.map_err(|error| Failure::fault(format!("a stored text cannot be inflated: {error}")))?;
    Ok(text)
}

/// Up to `limit` numbers of entries after `after`, ascending.
pub fn sequences_after(conn: &mut Conn, owner: WorkspaceId, after: i64, limit: i64) -> Result<Vec<i64>, Failure> {
    let newer = search_entries::table.filter(search_entries::workspace_id.eq(owner));
    let newer = newer.filter(search_entries::sequence.gt(after)).order(search_entries::sequence).limit(limit);
    Ok(newer.select(search_entries::sequence).load(conn)?)
}

/// The numbers of all entries between two, both included, ascending.
pub fn sequences_between(conn: &mut Conn, owner: WorkspaceId, first: i64, last: i64) -> Result<Vec<i64>, Failure> {
    let between = search_entries::table.filter(search_entries::workspace_id.eq(owner));
    let between = between.filter(search_entries::sequence.between(first, last)).order(search_entries::sequence);
    Ok(between.select(search_entries::sequence).load(conn)?)
}

/// Up to `limit` numbers of entries after `after` and below `below`, descending.
pub fn newest(conn: &mut Conn, owner: WorkspaceId, after: i64, below: i64, limit: i64) -> Result<Vec<i64>, Failure> {
    let between = search_entries::table.filter(search_entries::workspace_id.eq(owner));
    let between = between.filter(search_entries::sequence.gt(after).and(search_entries::sequence.lt(below)));
    let newest = between.order(search_entries::sequence.desc()).limit(limit);
    Ok(newest.select(search_entries::sequence).load(conn)?)
}

/// How many entries there are between two numbers, both included.
pub fn count_between(conn: &mut Conn, owner: WorkspaceId, first: i64, last: i64) -> Result<i64, Failure> {
    let between = search_entries::table.filter(search_entries::workspace_id.eq(owner));
    Ok(between.filter(search_entries::sequence.between(first, last)).count().get_result(conn)?)
}

/// Gives an entry to each file that has none. Returns how many there were.
pub fn add_missing(conn: &mut Conn, owner: WorkspaceId) -> Result<usize, Failure> {
    // The change that created a file is of no other file, so no other entry has its number.
    const SQL: &str = "INSERT INTO search_entries (file_id, workspace_id, sequence)
        SELECT id, workspace_id, first_change FROM files WHERE workspace_id = $1
        AND NOT EXISTS (SELECT 1 FROM search_entries WHERE file_id = files.id)";
    Ok(on_each!(conn, |c| sql_query(SQL).bind::<BigInt, _>(owner).execute(c))?)
}
