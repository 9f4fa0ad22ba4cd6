//! Permissions that more than one thing of the locker needs.

use shared_runtime::Permission;

/// `locker.chat`: to test a room's model and to watch the test.
pub struct Chat;

impl Permission for Chat {
    const SCOPE: &'static str = "locker.chat";
}
