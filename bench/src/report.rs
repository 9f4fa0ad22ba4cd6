//! The figures, side by side.

use crate::load::Measured;

/// The head of the table.
pub fn head() {
    println!("{:<34} {:>12} {:>10} {:>10} {:>14}", "", "requests/s", "p50 ms", "p99 ms", "CPU µs/request");
}

/// One side.
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

/// Resident memory of the service.
pub fn memory(idle: f64, after: f64) {
    println!("resident memory: {idle:.1} MiB idle, {after:.1} MiB after the load");
}
