-- The rest of expired grants that running requests still hold. It is returned when they end. Until then no new hold may
-- use it.
ALTER TABLE wallets ADD COLUMN expired_nano bigint NOT NULL DEFAULT 0 CHECK (expired_nano >= 0);
