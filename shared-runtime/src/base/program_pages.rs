//! Releases memory pages of the program file that only the start needed.

use std::time::Duration;

use tokio::time::sleep;

// By then, everything that runs every second has run once.
const AFTER_START: Duration = Duration::from_secs(2);

/// Releases the start's pages of the program. They are two thirds of what an idle service counts as its memory. Pages
/// that are needed again come from the system's file cache.
pub async fn release_startup_pages() {
    sleep(AFTER_START).await;
    #[cfg(target_os = "linux")]
    if let Err(error) = linux::release() {
        tracing::debug!(error = %error, "the pages of the program could not be released");
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use procfs::{
        ProcResult,
        process::{MMPermissions, MMapPath, MemoryMap, Process},
    };
    use rustix::mm::{Advice, madvise};

    pub fn release() -> ProcResult<()> {
        let process = Process::myself()?;
        let program = MMapPath::Path(process.exe()?);
        for map in process.smaps()?.into_iter().filter(|map| map.pathname == program && is_as_in_file(map)) {
            let (start, end) = map.address;
            advise_unneeded(start as usize, (end - start) as usize)?;
        }
        Ok(())
    }

    // True for a map without write permission and without private pages (relocated addresses are private).
    fn is_as_in_file(map: &MemoryMap) -> bool {
        let own_bytes = map.extension.map.get("Anonymous").copied();
        !map.perms.contains(MMPermissions::WRITE) && own_bytes == Some(0)
    }

    #[expect(unsafe_code, reason = "the system call takes an address")]
    fn advise_unneeded(start: usize, bytes: usize) -> ProcResult<()> {
        // SAFETY: The pages belong to the file. When one is touched again, the system maps the same bytes.
        let result = unsafe { madvise(start as *mut _, bytes, Advice::LinuxDontNeed) };
        result.map_err(|errno| std::io::Error::from(errno).into())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_program_runs_on_with_fewer_pages() {
            let file_pages = || {
                let program = MMapPath::Path(Process::myself().expect("a process").exe().expect("a path"));
                let maps = Process::myself().expect("a process").smaps().expect("maps");
                let own = maps.into_iter().filter(|map| map.pathname == program);
                own.map(|map| map.extension.map["Rss"]).sum::<u64>()
            };
            let before = file_pages();
            release().expect("Linux releases pages");
            let after = file_pages();
            assert!(after < before, "{before} bytes, then {after}");
        }
    }
}
