use actix_web::web::Bytes;
use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn metadata() -> BlobMetadata {
    BlobMetadata { content_type: "application/octet-stream".to_owned(), disposition: "attachment".to_owned() }
}

fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * 31 % 251) as u8).collect()
}

async fn put(blobs: &Blobs, key: &str, bytes: &[u8]) {
    let mut writer = blobs.create(key, &metadata()).await.expect("begins");
    for chunk in bytes.chunks(100_000) {
        writer.write(Bytes::copy_from_slice(chunk)).await.expect("writes");
    }
    writer.finish().await.expect("finishes");
}

async fn collected(blobs: &Blobs, key: &str, range: Range<u64>) -> Option<Result<Vec<u8>, Failure>> {
    let chunks = blobs.read(key, range).await.expect("the store answers")?;
    Some(
        chunks
            .try_fold(Vec::new(), async |mut all, chunk| {
                all.extend_from_slice(&chunk);
                Ok(all)
            })
            .await,
    )
}

fn folder() -> (tempfile::TempDir, Blobs) {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::open(Some(&BlobLocation::Folder(folder.path().join("blobs")))).expect("opens");
    (folder, blobs)
}

#[tokio::test]
async fn a_blob_is_read_back_range_by_range() {
    let (_folder, blobs) = folder();
    let whole = bytes(700_001);
    put(&blobs, "a/b", &whole).await;
    for range in [0..700_001, 0..1, 700_000..700_001, 262_143..262_145, 5..5, 100..524_388] {
        let read = collected(&blobs, "a/b", range.clone()).await.expect("there is").expect("whole");
        assert!(read == whole[range.start as usize..range.end as usize], "{range:?}");
    }
    assert!(collected(&blobs, "a/c", 0..1).await.is_none());
}

#[tokio::test]
async fn a_blob_is_there_when_it_is_finished_and_not_before() {
    let (_folder, blobs) = folder();
    let mut writer = blobs.create("a/b", &metadata()).await.expect("begins");
    writer.write(Bytes::from_static(b"half")).await.expect("writes");
    assert!(blobs.read("a/b", 0..4).await.expect("answers").is_none());
    writer.abandon().await.expect("gives up");
    assert!(blobs.read("a/b", 0..4).await.expect("answers").is_none());
    put(&blobs, "a/empty", b"").await;
    assert_eq!(collected(&blobs, "a/empty", 0..0).await.expect("there is").expect("whole"), b"");
}

#[tokio::test]
async fn a_truncated_blob_is_a_failure_and_not_a_short_answer() {
    let (folder, blobs) = folder();
    put(&blobs, "a/b", &bytes(300_000)).await;
    let file = std::fs::File::options().write(true).open(folder.path().join("blobs/a/b")).expect("the file");
    file.set_len(299_999).expect("cuts");
    assert!(collected(&blobs, "a/b", 0..300_000).await.expect("there is").is_err());
}

#[tokio::test]
async fn sweeping_removes_unreferenced_blobs_and_half_written_files() {
    let (folder, blobs) = folder();
    for key in ["e/1", "e/2", "f/1"] {
        put(&blobs, key, b"x").await;
    }
    std::fs::write(folder.path().join("blobs/e/3#1"), b"half").expect("writes");
    let later = crate::base::clock::Clock::System.now().plus(Duration::from_secs(60));
    let keep = HashSet::from(["e/2".to_owned()]);
    assert_eq!(blobs.sweep("e", keep.clone(), Timestamp::from_micros(0)).await.expect("sweeps"), 0, "all are newer");
    assert_eq!(blobs.sweep("e", keep, later).await.expect("sweeps"), 2);
    assert!(collected(&blobs, "e/2", 0..1).await.is_some() && collected(&blobs, "f/1", 0..1).await.is_some());
    blobs.remove("e/2").await.expect("removes");
    blobs.remove("e/2").await.expect("is gone already");
}

#[test]
fn a_place_is_a_folder_or_a_bucket_and_nothing_else() {
    let place = |text: &str| text.parse::<BlobLocation>();
    assert_eq!(place("file:/new"), Ok(BlobLocation::Folder("/new".into())));
    assert_eq!(place("file:///tmp/new"), Ok(BlobLocation::Folder("/tmp/new".into())));
    let bucket = |prefix: &str| Ok(BlobLocation::Bucket { bucket: "rooms".to_owned(), prefix: prefix.to_owned() });
    assert_eq!(place("s3://rooms"), bucket(""));
    assert_eq!(place("s3://rooms/eu/west/"), bucket("eu/west"));
    for wrong in [
        "",
        "/a/b",
        "file:",
        "file:/dev/null",
        "file:/a/b",
        "s3://",
        "s3://A",
        "s3://rooms/../x",
        "s3://rooms/a?b",
        "https://rooms",
    ] {
        assert!(place(wrong).is_err(), "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_range_returns_the_bytes_of_the_file(count in 1..600_000_usize, a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (_folder, blobs) = folder();
        let whole = bytes(count);
        let (a, b) = (a.index(count + 1), b.index(count + 1));
        let range = a.min(b)..a.max(b);
        let read = runtime.block_on(async {
            put(&blobs, "key", &whole).await;
            collected(&blobs, "key", range.start as u64..range.end as u64).await
        });
        prop_assert!(read.expect("there is").expect("whole") == whole[range]);
    }
}
