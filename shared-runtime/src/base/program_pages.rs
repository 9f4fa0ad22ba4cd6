//! The pages of the program's own file that a process holds.

use std::time::Duration;

use tokio::time::sleep;

/// After a start: by then what runs every second has run.
const AFTER_START: Duration = Duration::from_secs(2);

/// Lets go of the pages of the program that only the start needed: most of the code, touched once, is two thirds of what an idle
/// service would count as its memory. What is needed again comes from the system's cache of the file.
pub async fn forget_start() {
    sleep(AFTER_START).await;
    #[cfg(target_os = "linux")]
    if let Err(error) = linux::forget() {
        tracing::debug!(error = %error, "the pages of the program stay");
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use procfs::{
        ProcResult,
        process::{MMPermissions, MMapPath, MemoryMap, Process},
    };
    use rustix::mm::{Advice, madvise};

    pub fn forget() -> ProcResult<()> {
        let process = Process::myself()?;
        let program = MMapPath::Path(process.exe()?);
        for map in process.smaps()?.into_iter().filter(|map| map.pathname == program && is_as_in_file(map)) {
            let (start, end) = map.address;
            let_go(start as usize, (end - start) as usize)?;
        }
        Ok(())
    }

    /// Whether the process could not write there, and has no page of its own: relocated addresses are such pages.
    fn is_as_in_file(map: &MemoryMap) -> bool {
        let own_bytes = map.extension.map.get("Anonymous").copied();
        !map.perms.contains(MMPermissions::WRITE) && own_bytes == Some(0)
    }

    #[expect(unsafe_code, reason = "the system call takes an address")]
    fn let_go(start: usize, bytes: usize) -> ProcResult<()> {
        // SAFETY: The pages are those of the file: when one is touched again, the system maps the same bytes.
        let result = unsafe { madvise(start as *mut _, bytes, Advice::LinuxDontNeed) };
        result.map_err(|errno| std::io::Error::from(errno).into())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_program_goes_on_and_holds_less() {
            let file_pages = || {
                let program = MMapPath::Path(Process::myself().expect("a process").exe().expect("a path"));
                let maps = Process::myself().expect("a process").smaps().expect("maps");
                let own = maps.into_iter().filter(|map| map.pathname == program);
                own.map(|map| map.extension.map["Rss"]).sum::<u64>()
            };
            let before = file_pages();
            forget().expect("Linux lets go of pages");
            let after = file_pages();
            assert!(after < before, "{before} bytes, then {after}");
        }
    }
}
