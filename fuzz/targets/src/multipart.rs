//! Whatever the form, reading it does not panic, and the file is in pieces of one size. How the network has cut the
//! form makes no difference.

use std::convert::Infallible;

use futures_util::{FutureExt as _, stream};
use multer::{Multipart, bytes::Bytes};
use shared_model::Refusal;
use shared_runtime::pages::{
    FileField,
    multipart::{Submission, parts},
};

const FIELD: FileField = FileField { name: "file", max_bytes: 64, piece_bytes: 8 };
const FIELDS: [&str; 2] = ["csrf", "name"];

/// The first byte says how the rest arrives; the boundary is `x`.
pub fn run(bytes: &[u8]) {
    let Some((size, form)) = bytes.split_first() else { return };
    // One boundary: reading it is the library's, and the interesting part comes after it.
    let (whole, cut) = (read(form, form.len()), read(form, usize::from(*size)));
    match (whole, cut) {
        (Ok(whole), Ok(cut)) => {
            assert!(FIELDS.iter().all(|name| whole.fields.get(name) == cut.fields.get(name)));
            let (whole, cut) = (whole.file.unwrap_or_default(), cut.file.unwrap_or_default());
            assert_eq!((&whole.name, &whole.media_type, &whole.pieces), (&cut.name, &cut.media_type, &cut.pieces));
            assert_eq!(whole.bytes, whole.pieces.iter().map(|piece| piece.len()).sum::<usize>());
            assert!(whole.bytes <= FIELD.max_bytes);
            let (last, others) = whole.pieces.split_last().unzip();
            assert!(others.unwrap_or_default().iter().all(|piece| piece.len() == FIELD.piece_bytes));
            assert!(last.is_none_or(|piece| (1..=FIELD.piece_bytes).contains(&piece.len())));
        }
        (Err(whole), Err(cut)) => assert_eq!(whole.code.name, cut.code.name),
        (whole, cut) => panic!("in one: {}, in pieces of {size}: {}", whole.is_ok(), cut.is_ok()),
    }
}

fn read(form: &[u8], size: usize) -> Result<Submission, Refusal> {
    let pieces: Vec<_> =
        form.chunks(size.max(1)).map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece))).collect();
    let read = parts(Multipart::new(stream::iter(pieces), "x"), |name| FIELDS.contains(&name), FIELD);
    read.now_or_never().expect("all pieces are there")
}
