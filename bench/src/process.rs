//! Resources used by a process, from Linux's /proc/PID.

use std::{fs, time::Duration};

use anyhow::{Context as _, Result};

// USER_HZ is 100 on every architecture.
const TICK: Duration = Duration::from_millis(10);

/// User and system time since the start of the process.
pub fn processor_time(pid: u32) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The second field is the program's name in parentheses and may contain blanks; the fields after it do not.
    let (_, rest) = stat.rsplit_once(") ").context("/proc/PID/stat has no name")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let ticks = |at: usize| -> Result<u32> { Ok(fields.get(at).context("/proc/PID/stat is too short")?.parse()?) };
    Ok(TICK * (ticks(11)? + ticks(12)?))
}

pub fn resident_mib(pid: u32) -> Result<f64> {
    status_mib(pid, "VmRSS:")
}

pub fn peak_mib(pid: u32) -> Result<f64> {
    status_mib(pid, "VmHWM:")
}

pub fn descriptors(pid: u32) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{pid}/fd"))?.count())
}

fn status_mib(pid: u32, name: &str) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find(|line| line.starts_with(name)).context("/proc/PID/status lacks a line")?;
    let kib: f64 = line.split_whitespace().nth(1).context("a line of /proc/PID/status has no value")?.parse()?;
    Ok(kib / 1024.0)
}
