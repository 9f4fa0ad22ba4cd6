//! Blocks of the index: for consecutive pieces, the ascending numbers of what has them, in few bytes.
//!
//! A list is the piece's distance from the one before, the bytes of its numbers, and the numbers. Each number is the
//! distance from the one before. The first piece counts from 0. All are variable-length integers of seven bits a byte.

use super::pieces::Piece;

/// A block is ended when it is longer. Below two kilobytes, so that PostgreSQL keeps it in the row.
const BYTES: usize = 1_600;

/// Lists of consecutive pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub first_piece: Piece,
    pub bytes: Vec<u8>,
}

/// Stored bytes that no [`BlockWriter`] wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// Writes lists in the order of their pieces.
#[derive(Debug)]
pub struct BlockWriter {
    /// Not above any number.
    base: i64,
    done: Vec<Block>,
    open: Option<(Block, Piece)>,
}

impl BlockWriter {
    pub fn new(base: i64) -> Self {
        Self { base, done: Vec::new(), open: None }
    }

    /// Adds the list of a piece that is greater than all before. Empty lists are left out.
    pub fn push(&mut self, piece: Piece, numbers: impl IntoIterator<Item = i64>) {
        let mut list = Vec::new();
        let mut before = self.base;
        for number in numbers {
            write(&mut list, number.wrapping_sub(before).cast_unsigned());
            before = number;
        }
        if list.is_empty() {
            return;
        }
        let (block, last) =
            self.open.get_or_insert_with(|| (Block { first_piece: piece, bytes: Vec::with_capacity(BYTES) }, 0));
        write(&mut block.bytes, piece.wrapping_sub(*last).cast_unsigned());
        write(&mut block.bytes, list.len() as u64);
        block.bytes.extend_from_slice(&list);
        *last = piece;
        if block.bytes.len() > BYTES {
            self.done.extend(self.open.take().map(|(block, _)| block));
        }
    }

    /// The blocks that have ended.
    pub fn take_done(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.done)
    }

    /// All blocks that were not taken.
    pub fn finish(mut self) -> Vec<Block> {
        self.done.extend(self.open.take().map(|(block, _)| block));
        self.done
    }
}

/// The lists of a block, in the order of their pieces.
#[derive(Debug)]
pub struct Lists<'a> {
    rest: &'a [u8],
    piece: Piece,
}

impl<'a> Lists<'a> {
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, piece: 0 }
    }

    fn read(&mut self) -> Option<(Piece, &'a [u8])> {
        self.piece = self.piece.wrapping_add(read(&mut self.rest)?.cast_signed());
        let length = usize::try_from(read(&mut self.rest)?).ok()?;
        let (list, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some((self.piece, list))
    }
}

impl<'a> Iterator for Lists<'a> {
    type Item = Result<(Piece, &'a [u8]), Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.rest.is_empty()).then(|| self.read().ok_or(Damaged))
    }
}

/// Appends the numbers of a list, ascending.
pub fn numbers(mut list: &[u8], base: i64, out: &mut Vec<i64>) -> Result<(), Damaged> {
    let mut number = base;
    while !list.is_empty() {
        number = number.wrapping_add(read(&mut list).ok_or(Damaged)?.cast_signed());
        out.push(number);
    }
    Ok(())
}

/// Keeps those of these ascending numbers that a list has.
pub fn keep_common(all: &mut Vec<i64>, mut list: &[u8], base: i64) -> Result<(), Damaged> {
    let (mut listed, mut kept) = (None, 0);
    for at in 0..all.len() {
        while listed < Some(all[at]) && !list.is_empty() {
            let step = read(&mut list).ok_or(Damaged)?.cast_signed();
            listed = Some(listed.unwrap_or(base).wrapping_add(step));
        }
        if listed == Some(all[at]) {
            all[kept] = all[at];
            kept += 1;
        }
    }
    all.truncate(kept);
    Ok(())
}

/// The list of a piece in a block; empty if the block does not have it.
pub fn of_piece(bytes: &[u8], piece: Piece) -> Result<&[u8], Damaged> {
    for list in Lists::of(bytes) {
        match list? {
            (next, list) if next == piece => return Ok(list),
            (next, _) if next > piece => break,
            _ => {}
        }
    }
    Ok(&[])
}

fn write(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
