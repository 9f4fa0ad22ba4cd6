-- A room that only its subscription has told us of has version 0, until it is imported itself.
ALTER TABLE rooms ADD COLUMN state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('onboarding', 'active', 'suspended', 'closed'));
ALTER TABLE rooms ADD COLUMN version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0);
-- The image that the room is pinned to: sha256: and 64 hexadecimal digits.
ALTER TABLE rooms ADD COLUMN image_digest TEXT CHECK (length(image_digest) = 71);
-- The model's endpoint, of all rooms that have one; its key is sealed with the service's secret.
ALTER TABLE rooms ADD COLUMN model_base_url TEXT CHECK (model_base_url <> '');
ALTER TABLE rooms ADD COLUMN model_name TEXT CHECK ((model_name IS NULL) = (model_base_url IS NULL));
ALTER TABLE rooms ADD COLUMN model_key TEXT CHECK (model_key IS NULL OR model_base_url IS NOT NULL);
-- A placed, unpaid order.
ALTER TABLE rooms ADD COLUMN pending_order_id TEXT;
ALTER TABLE rooms ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rooms ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0 CHECK (updated_at >= created_at);
