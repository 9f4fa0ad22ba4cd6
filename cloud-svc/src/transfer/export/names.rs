//! Names on disk for the files of one folder. No file system takes two of them for the same name, and an import reads
//! each back.

use std::collections::{HashMap, HashSet};

use shared_model::{Name, name::MAX};

use crate::files::name_on_disk;
use cloud_content::name_key::name_key;

/// Longest name on disk, in bytes.
const ROOM: usize = 255;
// Below such a long path names are kept short. So 32 nested folders fit into the longest path of a file system.
const LONG_PATH: usize = 1_500;
const SHORT_ROOM: usize = 64;

/// The names that are used in one folder.
#[derive(Debug)]
pub struct Names {
    room: usize,
    taken: HashSet<String>,
    // Without it, thousands of files with one name would each try all numbers from the beginning.
    next: HashMap<String, u64>,
}

impl Names {
    /// For a folder whose path within the export has this length.
    pub fn within(path_bytes: usize) -> Self {
        let room = if path_bytes > LONG_PATH { SHORT_ROOM } else { ROOM };
        Self { room, taken: HashSet::new(), next: HashMap::new() }
    }

    /// A name that is free on disk with each of these suffixes: `name`, or a shorter one with a number.
    pub fn take(&mut self, name: &str, ends: &[&str]) -> String {
        // All suffixes are reserved: the form of a file, and thus its suffix, may differ at the next export.
        let longest = ends.iter().map(|end| end.len()).max().unwrap_or(0);
        let room = self.room.saturating_sub(longest);
        let key = format!("{}\0{}", name_key(&numbered(name, 1, room)), ends.concat());
        let mut number = self.next.get(&key).copied().unwrap_or(1);
        loop {
            let free = numbered(name, number, room);
            number += 1;
            let on_disk = name_on_disk::encode(&free);
            let keys: Vec<String> = ends.iter().map(|end| name_key(&format!("{on_disk}{end}"))).collect();
            if keys.iter().all(|key| !self.taken.contains(key)) {
                self.taken.extend(keys);
                self.next.insert(key, number);
                return free;
            }
        }
    }

    /// The same for an upload, whose ending is part of its name: `Plan (2).pdf`.
    pub fn take_upload(&mut self, name: &str) -> String {
        let (stem, end) = split_ending(name);
        self.take(stem, &[end]) + end
    }
}

/// `Plan` and `.pdf`. The ending is empty if the parts alone would be written in another way than the whole.
fn split_ending(name: &str) -> (&str, &str) {
    let (stem, end) = name.split_at(name.rfind('.').unwrap_or(name.len()));
    let is_ending = (2..=10).contains(&end.len()) && end[1..].bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_apart = || Name::parse(stem).is_ok() && name_on_disk::encode(stem) + end == name_on_disk::encode(name);
    if is_ending && is_apart() { (stem, end) } else { (name, "") }
}

/// `Plan (2)`, cut to what fits on disk and in a name.
fn numbered(name: &str, number: u64, room: usize) -> String {
    let tail = if number == 1 { String::new() } else { format!(" ({number})") };
    let longest = name.floor_char_boundary(MAX - tail.len());
    let starts = (1..=longest).rev().filter(|end| name.is_char_boundary(*end)).map(|end| name[..end].trim_end());
    let fits = |name: &String| Name::parse(name).is_ok() && name_on_disk::encode(name).len() <= room;
    starts.map(|start| format!("{start}{tail}")).find(fits).unwrap_or_else(|| format!("file{tail}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOTE: &[&str] = &[".txt", ".note.json"];

    #[test]
    fn names_that_a_file_system_takes_for_one_get_numbers() {
        let mut names = Names::within(0);
        let taken: Vec<_> = ["Plan", "plan", "PLAN", "plan (2)", "Plan"].map(|name| names.take(name, &[".md"])).into();
        assert_eq!(taken, ["Plan", "plan (2)", "PLAN (3)", "plan (2) (2)", "Plan (4)"]);
        assert_eq!(names.take("Plan", NOTE), "Plan");
        assert_eq!(names.take("plan.md", &[""]), "plan.md (2)", "a folder");
    }

    #[test]
    fn an_upload_keeps_its_ending() {
        let mut names = Names::within(0);
        for (name, taken) in [
            ("report.pdf", "report.pdf"),
            ("report.pdf", "report (2).pdf"),
            ("Report.PDF", "Report (3).PDF"),
            ("report (2).pdf", "report (2) (2).pdf"),
            ("a. b", "a. b"),
            ("a. b", "a. b (2)"),
            (".pdf", ".pdf"),
            (".pdf", ".pdf (2)"),
            ("a .pdf", "a .pdf"),
            ("a..pdf", "a..pdf"),
        ] {
            assert_eq!(names.take_upload(name), taken, "{name}");
        }
        names.take("Plan", NOTE);
        assert_eq!(names.take_upload("plan.NOTE.json"), "plan.NOTE (2).json");
    }

    #[test]
    fn a_name_that_is_too_long_is_cut() {
        let mut names = Names::within(0);
        assert_eq!(names.take(&"é".repeat(95), &[".md"]), "é".repeat(95));
        assert_eq!(names.take(&"É".repeat(95), &[".md"]), format!("{} (2)", "É".repeat(93)));
        assert_eq!(names.take(&"?".repeat(190), &[".md"]), "?".repeat(84));
        // Two of the three characters of a keycap are not a valid name, so the whole keycap is cut.
        assert_eq!(
            Names::within(2_000).take(&"1\u{fe0f}\u{20e3}".repeat(9), &[".md"]),
            "1\u{fe0f}\u{20e3}".repeat(8) + "1"
        );
    }

    #[test]
    fn thousands_of_files_may_have_one_name() {
        let mut names = Names::within(0);
        (0..20_000).for_each(|_| drop(names.take("Plan", &[".md"])));
        assert_eq!(names.take("Plan", &[".md"]), "Plan (20001)");
    }

    proptest! {
        #[test]
        fn what_was_given_once_is_given_unchanged_in_whatever_order(
            names in proptest::collection::vec("[aAé?. %(2)\u{fe0f}🧀]{1,70}", 1..20), is_deep: bool,
        ) {
            let path = if is_deep { 2_000 } else { 0 };
            let mut first = Names::within(path);
            let given: Vec<_> = names.iter().map(|name| first.take(name, NOTE)).collect();
            let mut again = Names::within(path);
            for name in given.iter().rev() {
                prop_assert_eq!(&again.take(name, NOTE), name);
                prop_assert!(Name::parse(name).is_ok());
                prop_assert_eq!(&name_on_disk::decode(&name_on_disk::encode(name)), name);
            }
        }
    }
}
