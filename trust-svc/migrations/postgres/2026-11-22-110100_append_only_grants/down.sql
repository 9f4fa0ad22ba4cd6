-- What was revoked is not granted again: nobody needs it.
SELECT 1;
