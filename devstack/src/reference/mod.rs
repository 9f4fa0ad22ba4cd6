//! docs/reference, written from contracts, code tables, settings and metrics. `./test openapi` calls it.

mod errors;
mod limits;
mod markdown;
mod metrics;
mod operations;
mod settings;

use std::{fs, io, path::Path};

use shared_runtime::service::Service;

use crate::service_name::ServiceName;

const INDEX: &str = "\
# Reference

`./test openapi` writes these pages from the code.

- Operations: [Cloud](cloud.md), [Locker](locker.md), [Orders](orders.md), [Trust](trust.md)
- [Error codes](errors.md)
- [Limits](limits.md)
- [Settings](settings.md)
- [Metrics](metrics.md)

`/openapi.json` of each service has every type and example. `/docs` shows the same as pages.
";

/// Writes all pages into an existing folder.
pub fn write(folder: &Path) -> io::Result<()> {
    let services: Vec<(ServiceName, Service)> =
        ServiceName::ALL.into_iter().map(|name| (name, name.definition())).collect();
    for (name, service) in &services {
        fs::write(folder.join(format!("{}.md", name.as_str())), operations::page(*name, service))?;
    }
    let services: Vec<Service> = services.into_iter().map(|(_, service)| service).collect();
    fs::write(folder.join("README.md"), INDEX)?;
    fs::write(folder.join("errors.md"), errors::page(&services))?;
    fs::write(folder.join("limits.md"), limits::page(&services))?;
    fs::write(folder.join("settings.md"), settings::page(&services))?;
    fs::write(folder.join("metrics.md"), metrics::page(&services))
}
