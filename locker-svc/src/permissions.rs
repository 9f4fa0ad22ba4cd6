//! Permissions that more than one operation needs.

use shared_runtime::Permission;

/// `locker.chat`: to test a room's model and to watch the test.
pub struct Chat;

impl Permission for Chat {
    const SCOPE: &'static str = "locker.chat";
}

/// `locker.exports.create`: to download exports.
pub struct CreateExports;

impl Permission for CreateExports {
    const SCOPE: &'static str = "locker.exports.create";
}
