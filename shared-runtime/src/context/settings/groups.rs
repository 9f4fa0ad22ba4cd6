//! Settings that only some services have: a clap struct for each group, and its check.

use clap::{ArgMatches, Command};

use super::{Mistakes, SettingsArguments, checked_groups::CheckedGroups};

/// A group of settings. Each field is an `Option<String>` with `#[arg(long, env, global = true)]`. Clap must not parse
/// the values: it would stop at the first mistake and print the value.
///
/// ```
/// use shared_runtime::context::settings::{HEADING, Mistakes, SettingsArguments, SettingsGroup};
///
/// #[derive(clap::Args)]
/// #[command(next_help_heading = HEADING)]
/// struct MailSettings {
///     /// Sender of all mail [default: no mail is sent]
///     #[arg(long, env, global = true)]
///     mail_sender: Option<String>,
/// }
///
/// struct MailSender(String);
///
/// impl SettingsGroup for MailSettings {
///     type Checked = MailSender;
///
///     fn check(self, _: &SettingsArguments, mistakes: &mut Mistakes) -> Option<MailSender> {
///         let sender = self.mail_sender?;
///         let checked = if sender.contains('@') { Ok(MailSender(sender)) } else { Err("must be an address") };
///         mistakes.check("MAIL_SENDER", checked)
///     }
/// }
/// ```
pub trait SettingsGroup: clap::Args {
    /// What the service reads, by [`CheckedGroups::get`].
    type Checked: Send + Sync + 'static;
    /// `None` where nothing is set, and for mistakes, which are noted. `common` has the values from secret files.
    fn check(self, common: &SettingsArguments, mistakes: &mut Mistakes) -> Option<Self::Checked>;
}

/// A group without its type, for a service to keep.
#[derive(Clone, Copy)]
pub struct AnyGroup {
    /// Adds its options to a command line.
    pub augment: fn(Command) -> Command,
    /// Checks what the command line says.
    pub check: fn(&ArgMatches, &SettingsArguments, &mut Mistakes, &mut CheckedGroups),
}

impl AnyGroup {
    /// The group of this type.
    pub fn of_type<G: SettingsGroup>() -> Self {
        Self {
            augment: G::augment_args,
            check: |matches, common, mistakes, checked| {
                let group = G::from_arg_matches(matches).expect("the command line has the group's options");
                if let Some(value) = group.check(common, mistakes) {
                    checked.insert(value);
                }
            },
        }
    }
}
