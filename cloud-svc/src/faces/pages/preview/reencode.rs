//! Re-encodes pictures, so that a browser gets nothing of an upload but its pixels.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits, codecs::jpeg::JpegEncoder,
    metadata::Orientation,
};

use cloud_content::foreign;

/// The decoded pixels of a photo of 27 million pixels. A decoder may need twice as much beside them.
const DECODED_BYTES: u64 = 80 * 1024 * 1024;
/// Of the longer side of what is shown: enough for a page on a dense screen.
pub const LONG_SIDE: u32 = 1_600;
const JPEG_QUALITY: u8 = 85;

/// Why a picture is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotShown {
    /// More pixels than the service decodes.
    TooLarge,
    /// No picture, or a part of it is missing or wrong.
    Broken,
}

#[derive(Debug)]
pub struct Picture {
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// Width and height of what will be shown, by the beginning of the file. The pixels are not decoded.
pub fn measured(head: &[u8]) -> Result<(u32, u32), NotShown> {
    foreign::read_or(|| NotShown::Broken, || size(head))
}

/// The picture upright, not larger than a page needs, and without what cameras write beside it: places, names, times.
pub fn reencoded(bytes: &[u8]) -> Result<Picture, NotShown> {
    foreign::read_or(|| NotShown::Broken, || upright(bytes))
}

fn size(head: &[u8]) -> Result<(u32, u32), NotShown> {
    let mut decoder = decoder(head)?;
    let (width, height) = decoder.dimensions();
    let is_turned = matches!(
        decoder.orientation().map_err(reason)?,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    Ok(if is_turned { (height, width) } else { (width, height) })
}

fn upright(bytes: &[u8]) -> Result<Picture, NotShown> {
    let is_photo = image::guess_format(bytes).map_err(reason)? == ImageFormat::Jpeg;
    let mut decoder = decoder(bytes)?;
    let orientation = decoder.orientation().map_err(reason)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(reason)?;
    if image.width().max(image.height()) > LONG_SIDE {
        // Its filter is the quickest, and enough for a picture that becomes smaller.
        image = image.thumbnail(LONG_SIDE, LONG_SIDE);
    }
    // After it was made smaller: turning copies all pixels.
    image.apply_orientation(orientation);
    written(&image, is_photo).map_err(reason)
}

/// JPEG where it was JPEG. Drawings, letters and see-through parts stay sharp in PNG.
fn written(image: &DynamicImage, is_photo: bool) -> ImageResult<Picture> {
    let mut bytes = Vec::new();
    let media_type = if is_photo {
        image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))?;
        "image/jpeg"
    } else {
        image.to_rgba8().write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
        "image/png"
    };
    Ok(Picture { media_type, bytes })
}

fn decoder(bytes: &[u8]) -> Result<impl ImageDecoder + '_, NotShown> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODED_BYTES);
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| NotShown::Broken)?;
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(reason)?;
    // Before a pixel is decoded: a file of a few bytes can claim to be a million pixels wide.
    if decoder.total_bytes() > DECODED_BYTES { Err(NotShown::TooLarge) } else { Ok(decoder) }
}

fn reason(error: ImageError) -> NotShown {
    match error {
        ImageError::Limits(_) => NotShown::TooLarge,
        _ => NotShown::Broken,
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage};
    use proptest::{prelude::*, sample::Index};

    use super::*;

    const FORMATS: &[ImageFormat] = &[ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];

    fn drawn(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let image = DynamicImage::from(RgbaImage::from_pixel(width, height, Rgba([200, 30, 30, 255])));
        let mut bytes = Cursor::new(Vec::new());
        // JPEG has no see-through parts.
        let image = if format == ImageFormat::Jpeg { DynamicImage::from(image.to_rgb8()) } else { image };
        image.write_to(&mut bytes, format).expect("a picture");
        bytes.into_inner()
    }

    #[test]
    fn the_formats_of_the_web_are_shown_and_become_smaller() {
        for (format, shown_as) in [
            (ImageFormat::Png, "image/png"),
            (ImageFormat::Gif, "image/png"),
            (ImageFormat::WebP, "image/png"),
            (ImageFormat::Jpeg, "image/jpeg"),
        ] {
            let bytes = drawn(1_700, 17, format);
            assert_eq!(measured(&bytes), Ok((1_700, 17)), "{format:?}");
            let picture = reencoded(&bytes).expect("a picture");
            assert_eq!(picture.media_type, shown_as);
            assert_eq!(measured(&picture.bytes), Ok((1_600, 16)), "{format:?}");
        }
    }

    #[test]
    fn nothing_beside_the_pixels_stays() {
        let mut bytes = drawn(2, 2, ImageFormat::Png);
        // A text chunk after the header, and a page after the end.
        let text = b"tEXtComment\0<script>alert(1)</script>";
        let mut chunk = (u32::try_from(text.len()).expect("short") - 4).to_be_bytes().to_vec();
        chunk.extend_from_slice(text);
        chunk.extend_from_slice(&crc32(text).to_be_bytes());
        bytes.splice(33..33, chunk);
        bytes.extend_from_slice(b"<script>alert(2)</script>");
        let picture = reencoded(&bytes).expect("a picture");
        assert!(!picture.bytes.windows(6).any(|window| window == b"script"));
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let fed = bytes.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
        });
        !fed
    }

    #[test]
    fn what_claims_too_many_pixels_is_refused_before_they_are_decoded() {
        let mut bytes = drawn(2, 2, ImageFormat::Png);
        bytes[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
        let crc = crc32(&bytes[12..29]).to_be_bytes();
        bytes[29..33].copy_from_slice(&crc);
        assert_eq!(measured(&bytes), Err(NotShown::TooLarge));
        assert_eq!(reencoded(&bytes).map(|_| ()), Err(NotShown::TooLarge));
    }

    /// Fails if more is shown than the bound allows.
    fn check(bytes: &[u8]) {
        if let Ok(picture) = reencoded(bytes) {
            let (width, height) = measured(&picture.bytes).expect("what is shown is a picture");
            assert!(width.max(height) <= LONG_SIDE, "{width} × {height}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_damaged_picture_is_shown_within_the_bound_or_refused(
            format in prop::sample::select(FORMATS),
            damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
            end in prop::option::of(any::<Index>()),
        ) {
            let mut bytes = drawn(40, 30, format);
            for (at, byte) in damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(end) = end {
                bytes.truncate(end.index(bytes.len()));
            }
            check(&bytes);
        }

        #[test]
        fn a_beginning_with_random_bytes_is_shown_within_the_bound_or_refused(
            format in prop::sample::select(FORMATS),
            known in any::<Index>(),
            rest in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            let mut bytes = drawn(4, 3, format);
            bytes.truncate(known.index(bytes.len()));
            bytes.extend_from_slice(&rest);
            check(&bytes);
        }
    }

    #[test]
    fn what_is_cut_off_or_no_picture_is_broken() {
        let whole = drawn(64, 64, ImageFormat::Png);
        for bytes in [&whole[..whole.len() - 20], b"\x89PNG\r\n\x1a\n", b"no picture", b""] {
            assert_eq!(reencoded(bytes).map(|_| ()), Err(NotShown::Broken));
        }
    }
}
