//! Importing the catalogue: a checked snapshot takes the place of the present one, all of it at once.

use shared_runtime::{Desk, Halt};

use super::{Catalogue, store};

/// Makes `catalogue` the one that is served; `false` when it is that already.
pub async fn import(desk: &Desk, catalogue: Catalogue) -> Result<bool, Halt> {
    let now = desk.clock.now();
    desk.write(move |conn| store::put(conn, &catalogue, now)).await
}
