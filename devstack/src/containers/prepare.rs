//! What must be there before a container starts: passwords and URLs as files, the log's key, a certificate, the issuer's keys.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use shared_runtime::Clock;

use super::{FOLDER, Role, given, user};
use crate::{
    certificate::Certificate,
    error::{StackError, cannot},
    home::Home,
    keys::{self, KeptKey},
    surfaces::SurfaceName,
};

/// The issuer's public keys, which the services read.
const JWKS: &str = "containers/issuer/jwks.json";
/// The setting with the secret that a service and its migrations have in common.
const SECRET: &str = "SERVICE_SECRET";
/// What PostgreSQL's image is given: the passwords that deploy/postgres/init.sh reads.
const POSTGRES: &str = "postgres";

/// Makes what is missing, and changes nothing that is there: a stack may run on it.
pub fn run(data: &Path) -> Result<(), StackError> {
    let home = Home::make(data)?;
    let issuer = KeptKey::load_or_make(&home, keys::ISSUER)?;
    home.write(JWKS, &issuer.jwks().to_string())?;
    Certificate::load_or_make(&home, Clock::System.now())?;
    KeptKey::load_or_make(&home, &given(SurfaceName::Trust, keys::LOG))?;
    password(&home, "administrator")?;
    for surface in SurfaceName::ALL {
        let secret = home.kept(&given(surface, SECRET), || Ok(keys::random_text()))?;
        home.write(&format!("{FOLDER}/{}/{SECRET}", migrator(surface)), &secret)?;
        for (role, folder) in [(Role::App, surface.as_str().to_owned()), (Role::Migrator, migrator(surface))] {
            let password = password(&home, &format!("{}-{}", surface.as_str(), role.as_str()))?;
            let url = format!("postgres://{}:{password}@postgres/fourfold", user(surface, role));
            home.write(&format!("{FOLDER}/{folder}/DATABASE_URL"), &url)?;
        }
    }
    readable(&home)
}

fn migrator(surface: SurfaceName) -> String {
    format!("{}-migrator", surface.as_str())
}

fn password(home: &Home, name: &str) -> Result<String, StackError> {
    home.kept(&format!("{FOLDER}/{POSTGRES}/{name}"), || Ok(keys::random_text()))
}

/// PostgreSQL runs as a user of its own image. Nobody else has a way to this folder.
fn readable(home: &Home) -> Result<(), StackError> {
    let folder = home.path(&format!("{FOLDER}/{POSTGRES}"));
    let failed = || format!("let PostgreSQL read {}", folder.display());
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    set(&folder, 0o755).map_err(cannot(failed()))?;
    for file in fs::read_dir(&folder).map_err(cannot(failed()))? {
        set(&file.map_err(cannot(failed()))?.path(), 0o644).map_err(cannot(failed()))?;
    }
    Ok(())
}
