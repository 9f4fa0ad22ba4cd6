//! Secrets from files, as container runtimes provide them: `NAME_FILE` is the path of a file with the value of
//! `NAME`.

use std::{
    fs::{self, File},
    io::Read as _,
};

/// Far longer than any setting.
const MAX_BYTES: u64 = 16 * 1024;

/// The content without the line feed at its end. The error repeats neither content nor path.
pub(super) fn value(path: &str) -> Result<String, String> {
    // Not the path: somebody who confuses NAME and NAME_FILE has put the secret itself there.
    let unreadable = |error: std::io::Error| format!("must name a file that can be read: {error}");
    // The type is checked first, because opening a pipe blocks until somebody writes to it.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err("must be the path of a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("must name a file of at most {MAX_BYTES} bytes"));
    }
    let mut text = String::from_utf8(bytes).map_err(|_| "must name a file of UTF-8 text")?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    if text.trim().is_empty() {
        return Err("must name a file that is not empty".to_owned());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::settings::{SettingsArguments, arguments::tests::SURFACE};

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn a_secret_in_a_file_works_like_the_setting_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("the file is written");
            Some(path.display().to_string())
        };
        let given = SettingsArguments {
            database_url: Some("postgres://app@db/cloud".to_owned()),
            redis_url: Some("redis://:hunter2@cache".to_owned()),
            service_secret: Some(SECRET.to_owned()),
            ..SettingsArguments::default()
        };
        let in_files = SettingsArguments {
            database_url_file: file("database", "postgres://app@db/cloud\n"),
            redis_url_file: file("redis", "redis://:hunter2@cache"),
            service_secret_file: file("secret", &format!("{SECRET}\r\n")),
            ..SettingsArguments::default()
        };
        let given = given.check(&SURFACE, &[]).expect("settings");
        let in_files = in_files.check(&SURFACE, &[]).expect("the same");
        assert_eq!(in_files.database_url, given.database_url);
        assert_eq!(in_files.redis, given.redis);
        assert_eq!(in_files.secret.tag(&[b"x"]), given.secret.tag(&[b"x"]));
    }

    #[test]
    fn mistakes_with_files_are_reported_without_path_and_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let large = folder.path().join("hunter2");
        fs::write(&large, "hunter2".repeat(2341)).expect("the file is written");
        let arguments = SettingsArguments {
            database_url: Some("postgres://app@db/cloud".to_owned()),
            database_url_file: Some(large.display().to_string()),
            redis_url_file: Some(large.display().to_string()),
            service_secret_file: Some("hunter2".to_owned()),
            ..SettingsArguments::default()
        };
        let message = arguments.check(&SURFACE, &[]).expect_err("three mistakes").to_string();
        assert_eq!(
            message,
            "3 mistakes in the settings:\
             \n  DATABASE_URL_FILE and DATABASE_URL must not both be set\
             \n  REDIS_URL_FILE must name a file of at most 16384 bytes\
             \n  SERVICE_SECRET_FILE must name a file that can be read: No such file or directory (os error 2)"
        );
    }

    #[test]
    fn files_without_text_are_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let refused = |path: &std::path::Path| value(&path.display().to_string()).expect_err("refused");
        assert_eq!(refused(folder.path()), "must be the path of a regular file");
        let path = folder.path().join("secret");
        for (content, rule) in [
            (&b""[..], "must name a file that is not empty"),
            (b"\n", "must name a file that is not empty"),
            (b"\xff", "must name a file of UTF-8 text"),
        ] {
            fs::write(&path, content).expect("the file is written");
            assert_eq!(refused(&path), rule);
        }
        fs::write(&path, "two lines\n\n").expect("the file is written");
        assert_eq!(value(&path.display().to_string()).expect("text"), "two lines\n");
    }

    #[test]
    fn commands_read_the_database_url_from_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (url, database) = (folder.path().join("url"), folder.path().join("cloud.db"));
        fs::write(&url, format!("sqlite:{}\n", database.display())).expect("the file is written");
        let arguments =
            SettingsArguments { database_url_file: Some(url.display().to_string()), ..SettingsArguments::default() };
        arguments.must_have_database(&SURFACE).expect_err("no database yet");
        fs::write(&database, "").expect("the file is written");
        arguments.must_have_database(&SURFACE).expect("there is one");
    }
}
