//! A plan that is made before the transaction that stores it.

use shared_model::{Error, Refusal, code};
use shared_runtime::Conn;

use super::new_plan::{Base, NewPlan};
use crate::{
    base::ids::FileId,
    files::{self, file::File},
    workspace::command::Command,
};

/// A proposal, or why there is none, for the state that the file had.
// Large content takes long, and nobody should wait for the database meanwhile. The transaction makes the proposal again
// only if the file has changed.
pub struct PreparedPlan<Make> {
    base: Option<Base>,
    made: Result<NewPlan, Box<Refusal>>,
    make: Make,
}

impl<Make> PreparedPlan<Make>
where
    Make: Fn(&mut Conn, &File) -> Result<NewPlan, Error> + Clone + Send + 'static,
{
    /// Makes a proposal for the present state of the file.
    pub async fn prepare<P>(command: &Command<P>, id: FileId, make: Make) -> Result<Self, Error> {
        let owner = command.by.owner();
        let read = make.clone();
        let made = command.context.read(move |conn| {
            let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
            let made = match read(conn, &file) {
                Ok(proposal) => Ok(proposal),
                Err(Error::Refused(refusal)) => Err(refusal),
                Err(failed) => return Err(failed),
            };
            Ok((Base::of_file(&file), made))
        });
        match made.await {
            Ok((base, made)) => Ok(Self { base, made, make }),
            // A repeated command must get its first answer even if the file is gone, so the transaction refuses.
            Err(Error::Refused(refusal)) => Ok(Self { base: None, made: Err(refusal), make }),
            Err(failed) => Err(failed),
        }
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        self.made.as_ref().map_or(0, NewPlan::bytes)
    }

    /// The proposal for this state of the file.
    pub fn for_state(&self, conn: &mut Conn, file: &File) -> Result<NewPlan, Error> {
        if self.base.is_some() && self.base == Base::of_file(file) {
            self.made.clone().map_err(Error::Refused)
        } else {
            (self.make)(conn, file)
        }
    }
}
