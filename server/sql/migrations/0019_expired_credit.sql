-- What is left of grants that have ended, while requests hold it: it goes back when they end. Until then no new hold
-- may count on it.
ALTER TABLE wallets ADD COLUMN expired_nano bigint NOT NULL DEFAULT 0 CHECK (expired_nano >= 0);
