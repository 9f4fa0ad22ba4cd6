//! Prints results side by side.

use crate::{load::Measured, rows::Written};

pub fn head() {
    println!("{:<34} {:>12} {:>10} {:>10} {:>14}", "", "requests/s", "p50 ms", "p99 ms", "CPU µs/request");
}

pub fn line(name: &str, measured: &Measured) {
    let millis = |quantile: f64| measured.latencies.value_at_quantile(quantile) as f64 / 1e3;
    println!(
        "{name:<34} {:>12.0} {:>10.2} {:>10.2} {:>14.1}",
        measured.rate(),
        millis(0.50),
        millis(0.99),
        measured.processor_micros()
    );
}

pub fn memory(idle: f64, after: f64) {
    println!("resident memory: {idle:.1} MiB idle, {after:.1} MiB after the load");
}

/// A side without latencies: rows written without HTTP.
pub fn rows(name: &str, written: &Written) {
    println!("{name:<34} {:>12.0} {:>10} {:>10} {:>14.1}", written.rate(), "", "", written.processor_micros());
}

/// Prints the ratios as one line of JSON for programs.
pub fn ratios(ratios: &[(String, f64)]) {
    let ratios: Vec<_> = ratios.iter().map(|(name, ratio)| format!("{name}={ratio:.3}")).collect();
    println!("ratios: {}", ratios.join(" "));
}

pub fn ratio(name: &str, ours: f64, peer: f64) -> (String, f64) {
    (name.to_owned(), ours / peer)
}
