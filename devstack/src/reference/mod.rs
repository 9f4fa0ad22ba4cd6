//! docs/reference, written from contracts, code tables, settings and metrics. `./test openapi` calls it.

mod errors;
mod kept;
mod limits;
mod markdown;
mod metrics;
mod operations;
mod settings;

use std::{fs, io, path::Path};

use shared_runtime::service::Service;

use crate::service_name::ServiceName;

/// The page that links to all others.
fn index() -> String {
    let link = |name: ServiceName| format!("[{}]({}.md)", operations::title(name), name.as_str());
    let operations = ServiceName::ALL.map(link).join(", ");
    format!(
        "# Reference\n\n`./test openapi` writes these pages from the code.\n\n- Operations: {operations}\n\
         - [Error codes](errors.md)\n- [Limits](limits.md)\n- [Settings](settings.md)\n- [Metrics](metrics.md)\n\n\
         `/openapi.json` of each service has every type and example. `/docs` shows the same as pages.\n"
    )
}

/// Writes all pages into an existing folder.
pub fn write(folder: &Path) -> io::Result<()> {
    let services: Vec<(ServiceName, Service)> =
        ServiceName::ALL.into_iter().map(|name| (name, name.definition())).collect();
    for (name, service) in &services {
        fs::write(folder.join(format!("{}.md", name.as_str())), operations::page(*name, service))?;
    }
    let services: Vec<Service> = services.into_iter().map(|(_, service)| service).collect();
    fs::write(folder.join("README.md"), index())?;
    fs::write(folder.join("errors.md"), errors::page(&services))?;
    fs::write(folder.join("limits.md"), limits::page(&services))?;
    fs::write(folder.join("settings.md"), settings::page(&services))?;
    fs::write(folder.join("metrics.md"), metrics::page(&services))
}
