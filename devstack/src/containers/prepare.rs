//! Makes the files that containers need before they start: secrets, database URLs, the log's key, a certificate, the
//! issuer's keys.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use shared_runtime::Clock;

use super::{FOLDER, Role, given, user};
use crate::{
    certificate::Certificate,
    data_folder::DataFolder,
    error::{StackError, cannot},
    keys::{self, KeyFile},
    service_name::ServiceName,
};

/// Mounted by the services as a file, so that they start without the issuer.
const JWKS: &str = "containers/issuer/jwks.json";
// The service and its migrations share it: the database records which secret it belongs to.
const SECRET: &str = "SERVICE_SECRET";
/// Passwords for deploy/postgres/init.sh.
const POSTGRES: &str = "postgres";

/// Makes what is missing and changes nothing that exists: containers may be running on it.
pub fn run(data: &Path) -> Result<(), StackError> {
    let folder = DataFolder::make(data)?;
    let issuer = KeyFile::load_or_make(&folder, keys::ISSUER)?;
    folder.write(JWKS, &issuer.jwks().to_string())?;
    Certificate::load_or_make(&folder, Clock::System.now())?;
    // Made here, because the service's own folder is mounted read-only.
    KeyFile::load_or_make(&folder, &given(ServiceName::Trust, keys::LOG))?;
    password(&folder, "administrator")?;
    for service in ServiceName::ALL {
        let secret = folder.read_or_write(&given(service, SECRET), || Ok(keys::random_text()))?;
        folder.write(&format!("{FOLDER}/{}/{SECRET}", migrator(service)), &secret)?;
        for (role, subfolder) in [(Role::App, service.as_str().to_owned()), (Role::Migrator, migrator(service))] {
            let password = password(&folder, &format!("{}-{}", service.as_str(), role.as_str()))?;
            let url = format!("postgres://{}:{password}@postgres/fourfold", user(service, role));
            folder.write(&format!("{FOLDER}/{subfolder}/DATABASE_URL"), &url)?;
        }
    }
    readable(&folder)
}

fn migrator(service: ServiceName) -> String {
    format!("{}-migrator", service.as_str())
}

fn password(folder: &DataFolder, name: &str) -> Result<String, StackError> {
    folder.read_or_write(&format!("{FOLDER}/{POSTGRES}/{name}"), || Ok(keys::random_text()))
}

// PostgreSQL runs as its image's own user, so it needs read access. The folder above is closed to everyone else.
fn readable(folder: &DataFolder) -> Result<(), StackError> {
    let folder = folder.path(&format!("{FOLDER}/{POSTGRES}"));
    let failed = || format!("let PostgreSQL read {}", folder.display());
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    set(&folder, 0o755).map_err(cannot(failed()))?;
    for file in fs::read_dir(&folder).map_err(cannot(failed()))? {
        set(&file.map_err(cannot(failed()))?.path(), 0o644).map_err(cannot(failed()))?;
    }
    Ok(())
}
