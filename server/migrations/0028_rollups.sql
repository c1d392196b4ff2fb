-- Usage and reports are read from sums, never from the generations themselves. The worker folds settled generations into
-- them, each exactly once.

-- The order in which generations became visible. A transaction's number is fixed before it commits, so everything below
-- the oldest transaction that still runs is complete: whoever has read up to there has missed nothing and never will,
-- however old the ids of late settles are. The offset keeps marks rising when the database moves to a cluster that
-- counts transactions from another number (rebase_marks).
CREATE FUNCTION settle_mark() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT pg_current_xact_id()::text::bigint + 0';
ALTER TABLE generations ADD COLUMN settled_mark bigint NOT NULL DEFAULT 0;
ALTER TABLE generations ALTER COLUMN settled_mark SET DEFAULT settle_mark();
CREATE INDEX generations_settled ON generations (settled_mark);

-- How far the fold has come: every generation with a smaller mark is in the sums, and no other is.
CREATE TABLE rollup_state (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  folded_below   bigint NOT NULL,
  mark_offset    bigint NOT NULL,
  cluster        text NOT NULL,      -- whose transactions the marks count
  retained_from  date NOT NULL       -- generations of earlier days have been dropped
);
INSERT INTO rollup_state (folded_below, mark_offset, cluster, retained_from)
  SELECT 0, 0, system_identifier::text, '-infinity' FROM pg_control_system();

-- Who and what is summed up apart from others: a key with all that a request of it can differ in, or a whole account with a
-- model and an app (then the caller's columns and the provider are null). The id is a hash of the rest, so a fold needs no
-- look-up, and folding the same again finds the same rows. Sums then need no more than this id for their key.
CREATE TABLE usage_series (
  id         uuid PRIMARY KEY,
  wallet_id  uuid NOT NULL,
  key_id     uuid,
  member_id  uuid,
  team_id    uuid,
  model      text NOT NULL,
  provider   text,
  app_name   text
);
-- Pages want the names of all of a wallet's series. They lie together here, and anywhere in the table.
CREATE INDEX usage_series_account ON usage_series (wallet_id) INCLUDE (id, model, app_name) WHERE key_id IS NULL;
CREATE INDEX usage_series_wallet ON usage_series (wallet_id) INCLUDE (id, key_id, member_id, team_id, model, provider, app_name)
  WHERE key_id IS NOT NULL;
CREATE INDEX usage_series_key ON usage_series (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX usage_series_member ON usage_series (member_id) WHERE member_id IS NOT NULL;

-- Sums of series. All count a request in the hour (UTC) that it was accepted in, and columns of one name mean the same.
CREATE TABLE usage_hours (
  wallet_id         uuid NOT NULL,
  hour              timestamp NOT NULL,
  series_id         uuid NOT NULL,
  requests          bigint NOT NULL,
  failed            bigint NOT NULL,
  spent_nano        bigint NOT NULL,
  saved_nano        bigint NOT NULL, -- by cached tokens
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (wallet_id, hour, series_id)
) PARTITION BY RANGE (hour);
CREATE TABLE usage_hours_default PARTITION OF usage_hours DEFAULT;

-- The counts say how many first tokens came within each of the times in domain/usage/first-token-times.ts.
CREATE TABLE usage_days (
  wallet_id          uuid NOT NULL,
  day                date NOT NULL,
  series_id          uuid NOT NULL,
  requests           bigint NOT NULL,
  failed             bigint NOT NULL,
  spent_nano         bigint NOT NULL,
  saved_nano         bigint NOT NULL,
  prompt_tokens      bigint NOT NULL,
  completion_tokens  bigint NOT NULL,
  first_token_counts integer[] NOT NULL,
  PRIMARY KEY (wallet_id, day, series_id)
) WITH (fillfactor = 80);
CREATE INDEX usage_days_series ON usage_days (series_id, day); -- for one key or member

CREATE TABLE usage_months (
  wallet_id         uuid NOT NULL,
  month             date NOT NULL, -- its first day
  series_id         uuid NOT NULL,
  requests          bigint NOT NULL,
  failed            bigint NOT NULL,
  spent_nano        bigint NOT NULL,
  saved_nano        bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (wallet_id, month, series_id)
) WITH (fillfactor = 80);

-- Sums of whole accounts: what most pages ask for, in few rows however many keys there are.
CREATE TABLE usage_account_days (
  wallet_id          uuid NOT NULL,
  day                date NOT NULL,
  series_id          uuid NOT NULL,
  requests           bigint NOT NULL,
  failed             bigint NOT NULL,
  spent_nano         bigint NOT NULL,
  saved_nano         bigint NOT NULL,
  prompt_tokens      bigint NOT NULL,
  completion_tokens  bigint NOT NULL,
  first_token_counts integer[] NOT NULL,
  PRIMARY KEY (wallet_id, day, series_id)
) WITH (fillfactor = 80);

-- Sums are updated in place all day, so they are vacuumed sooner than tables that only grow.
ALTER TABLE usage_days SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE usage_months SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE usage_account_days SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
