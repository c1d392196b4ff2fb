-- All tables, by topic: identity, keys, money, generations, usage sums, catalogue and routing, platform, audit log,
-- institutions, content, sign-in, videos. Functions are in ../functions. Ids are UUID version 7, made by the
-- application, so wallets can be spread over several primaries without a common sequence.

-- == Identity =====================================================================================================
-- A key belongs to a user or to an organization (perhaps through a member and a team); exactly one wallet pays for it.

CREATE TABLE users (
  id                   uuid PRIMARY KEY,
  email                text NOT NULL,
  name                 text NOT NULL DEFAULT '',
  suspended_at         timestamptz,
  -- The personal spend breaker. A null limit inherits the platform default.
  breaker_enabled      boolean NOT NULL DEFAULT false,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano >= 10000000),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano >= 10000000),
  created_at           timestamptz NOT NULL DEFAULT now(),
  email_verified       boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

-- An organization has a wallet of its own, teams, and members with one role each. The settings that an organization, a
-- team and a member share (allowed models, a spend breaker, a budget) have the same columns in all three tables.
CREATE TABLE organizations (
  id                   uuid PRIMARY KEY,
  name                 text NOT NULL,
  slug                 text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'),
  plan                 text NOT NULL DEFAULT 'standard',
  -- With monthly billing the wallet may go below zero by its credit line.
  billing_mode         text NOT NULL DEFAULT 'prepaid' CHECK (billing_mode IN ('prepaid', 'monthly')),
  seats                integer CHECK (seats > 0), -- null: no limit
  settings             jsonb NOT NULL DEFAULT '{}',
  suspended_at         timestamptz,
  weekly_budget_nano   bigint CHECK (weekly_budget_nano >= 0),
  monthly_budget_nano  bigint CHECK (monthly_budget_nano >= 0),
  allowed_models       text[] NOT NULL DEFAULT '{}',
  -- Each null field of a breaker is inherited separately.
  breaker_enabled      boolean,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano > 0),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano > 0),
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE teams (
  id                   uuid PRIMARY KEY,
  organization_id      uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name                 text NOT NULL,
  description          text,
  cost_center_code     text,
  permission_scope     text,
  monthly_budget_nano  bigint CHECK (monthly_budget_nano >= 0),
  allowed_models       text[] NOT NULL DEFAULT '{}',
  breaker_enabled      boolean,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano > 0),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano > 0),
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX teams_name ON teams (organization_id, lower(name));

CREATE TABLE members (
  id                   uuid PRIMARY KEY,
  organization_id      uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id              uuid NOT NULL REFERENCES users (id),
  team_id              uuid,
  role                 text NOT NULL CHECK (role IN ('org_admin', 'billing_viewer', 'team_admin', 'member')),
  monthly_budget_nano  bigint CHECK (monthly_budget_nano >= 0),
  allowed_models       text[] NOT NULL DEFAULT '{}',
  breaker_enabled      boolean,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano > 0),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano > 0),
  joined_at            timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, user_id),
  FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE SET NULL (team_id),
  -- A team administrator needs a team; without one the role would cover nothing, or everything.
  CHECK (role <> 'team_admin' OR team_id IS NOT NULL)
);
CREATE INDEX members_user ON members (user_id);
CREATE INDEX members_team ON members (team_id);

-- == Keys =========================================================================================================

-- An organization key with a member belongs to that person. A key with a team stops working when the team is deleted.
CREATE TABLE api_keys (
  id                  uuid PRIMARY KEY,
  secret_hash         bytea NOT NULL UNIQUE,
  prefix              text NOT NULL,
  suffix              text NOT NULL,
  name                text NOT NULL,
  type                text NOT NULL CHECK (type IN ('standard', 'management', 'institution', 'operator')),
  enabled             boolean NOT NULL DEFAULT true,
  user_id             uuid REFERENCES users (id),
  organization_id     uuid CONSTRAINT api_keys_organization_fkey REFERENCES organizations (id),
  member_id           uuid,
  team_id             uuid,
  wallet_id           uuid NOT NULL,
  spend_limit_nano    bigint CHECK (spend_limit_nano >= 0),
  spend_limit_period  text CHECK (spend_limit_period IN ('day', 'week', 'month')), -- null: over the key's whole life
  allowed_cidrs       text[] NOT NULL DEFAULT '{}',
  expires_at          timestamptz,
  revoked_at          timestamptz,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  created_by          uuid REFERENCES users (id), -- null: an operator, or not recorded
  -- Whether requests with the key continue at the paid price after a free quota is exhausted.
  free_fallback       boolean NOT NULL DEFAULT true,
  -- Operator keys have no owner and pay for nothing. Their wallet id cannot exist.
  CONSTRAINT api_keys_owner_check CHECK (
    CASE WHEN type = 'operator'
      THEN user_id IS NULL AND organization_id IS NULL AND member_id IS NULL AND team_id IS NULL
        AND wallet_id = '00000000-0000-0000-0000-000000000000'
      ELSE user_id IS NOT NULL OR organization_id IS NOT NULL
    END)
);
CREATE INDEX api_keys_wallet ON api_keys (wallet_id);
CREATE INDEX api_keys_user ON api_keys (user_id);
CREATE INDEX api_keys_organization ON api_keys (organization_id) WHERE organization_id IS NOT NULL;
CREATE INDEX api_keys_member ON api_keys (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX api_keys_team ON api_keys (team_id) WHERE team_id IS NOT NULL;
CREATE INDEX api_keys_operators ON api_keys (created_at) WHERE type = 'operator';

-- An organization's own keys for upstream providers. A request that an own key covers goes to its address, and the
-- provider bills the organization directly. Each organization has at most 100; adding one locks the organization's row
-- to count them.
CREATE TABLE own_keys (
  id                    uuid PRIMARY KEY,
  organization_id       uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name                  text NOT NULL,
  base_url              text NOT NULL,
  credential            jsonb NOT NULL,             -- sealed for this id; never shown again
  key_mask              text NOT NULL,
  protocol              text NOT NULL CHECK (protocol IN ('openai', 'anthropic')),
  fallback_mode         text NOT NULL CHECK (fallback_mode IN ('seamless', 'strict')),
  scoped_key_ids        uuid[] NOT NULL DEFAULT '{}', -- empty: every key of the organization
  enabled               boolean NOT NULL DEFAULT true,
  consecutive_failures  integer NOT NULL DEFAULT 0,
  last_error            text,
  last_checked_at       timestamptz,                -- null: never used
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX own_keys_organization ON own_keys (organization_id, id);

CREATE TABLE own_key_models (
  own_key_id      uuid NOT NULL REFERENCES own_keys (id) ON DELETE CASCADE,
  model_id        text NOT NULL,
  upstream_model  text NOT NULL,
  enabled         boolean NOT NULL DEFAULT true,
  PRIMARY KEY (own_key_id, model_id)
);

-- == Money ========================================================================================================

CREATE TABLE wallets (
  id               uuid PRIMARY KEY,
  owner_kind       text NOT NULL CHECK (owner_kind IN ('user', 'organization')),
  owner_id         uuid NOT NULL,
  -- Projections of ledger_transfers and holds, maintained by the money functions.
  balance_nano     bigint NOT NULL DEFAULT 0,
  held_nano        bigint NOT NULL DEFAULT 0 CHECK (held_nano >= 0),
  credited_nano    bigint NOT NULL DEFAULT 0,
  charged_nano     bigint NOT NULL DEFAULT 0,
  -- How far below zero a monthly-billed wallet may go; zero for prepaid.
  credit_line_nano bigint NOT NULL DEFAULT 0 CHECK (credit_line_nano >= 0),
  created_at       timestamptz NOT NULL DEFAULT now(),
  UNIQUE (owner_kind, owner_id)
) WITH (fillfactor = 50); -- balances are updated in place all day; free space keeps those updates heap-only

-- The ledger is a list of transfers: each row debits one account and credits another by the same amount, so a
-- transaction always sums to zero. Rows are never changed. Accounts are local to a wallet ('wallet' is the owner's
-- side, the others are the service's side), so no money transaction spans two wallets.
CREATE TABLE ledger_transfers (
  id           uuid NOT NULL,      -- of the transaction; for a charge, the generation's id
  leg          smallint NOT NULL,  -- a top-up has several: credit, fee, tax
  wallet_id    uuid NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('charge', 'top_up', 'fee', 'tax', 'grant', 'correction')),
  debit        text NOT NULL CHECK (debit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants')),
  credit       text NOT NULL CHECK (credit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants')),
  amount_nano  bigint NOT NULL CHECK (amount_nano > 0),
  note         text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CHECK (debit <> credit),
  PRIMARY KEY (id, leg)
) PARTITION BY RANGE (id);
CREATE TABLE ledger_transfers_default PARTITION OF ledger_transfers DEFAULT;
CREATE INDEX ledger_transfers_wallet ON ledger_transfers (wallet_id, id);

-- The same rows as signed postings, for audits.
CREATE VIEW ledger_postings AS
  SELECT id, leg, wallet_id, kind, debit AS account, -amount_nano AS amount_nano, created_at FROM ledger_transfers
  UNION ALL
  SELECT id, leg, wallet_id, kind, credit, amount_nano, created_at FROM ledger_transfers;

-- A hold exists while its request may still spend. Settling or expiry deletes it; wallets.held_nano is the sum of the
-- rows here. The hold stores the windows it counts in, so that its release finds them.
CREATE TABLE holds (
  id            uuid PRIMARY KEY, -- the generation's id
  wallet_id     uuid NOT NULL,
  key_id        uuid NOT NULL,
  amount_nano   bigint NOT NULL CHECK (amount_nano >= 0),
  lease_until   timestamptz NOT NULL,
  window_kinds  text[] NOT NULL DEFAULT '{}',
  window_owners uuid[] NOT NULL DEFAULT '{}',
  window_starts bigint[] NOT NULL DEFAULT '{}',
  placed_at     timestamptz NOT NULL DEFAULT now(),
  -- The amount that the hold counts for in spend breakers: its opening estimate. Breakers limit actual spend, and most
  -- requests spend far less than the worst case that is held for them.
  estimate_nano bigint NOT NULL CHECK (estimate_nano >= 0)
);
CREATE INDEX holds_lease ON holds (lease_until);

-- Holds that expired without a settle, for /v1/generation. A late settle is still charged.
CREATE TABLE lapsed_holds (
  id          uuid PRIMARY KEY,
  wallet_id   uuid NOT NULL,
  key_id      uuid NOT NULL,
  amount_nano bigint NOT NULL,
  lapsed_at   timestamptz NOT NULL DEFAULT now()
);

-- Spend per limited scope and period. The start of the period is part of the key, so a counter is never reset. Only
-- scopes with a limit have rows; the first hold of a period seeds its row from stored sums.
CREATE TABLE spend_windows (
  kind         text NOT NULL,   -- a row of domain/limits/scopes.ts
  owner_id     uuid NOT NULL,   -- the key, user, member, team or organization that the limit is on
  starts_at    bigint NOT NULL, -- Unix milliseconds; 0 for a limit over the whole life
  held_nano    bigint NOT NULL DEFAULT 0 CHECK (held_nano >= 0),
  spent_nano   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, owner_id, starts_at)
) WITH (fillfactor = 50);
-- Breakers leave a window for every minute and hour with spend; the worker deletes past ones.
CREATE INDEX spend_windows_short ON spend_windows (starts_at) WHERE kind LIKE '%\_minute' OR kind LIKE '%\_hour';

-- Settled usage of a key per UTC day. /v1/key shows it, and new windows are seeded from it.
CREATE TABLE key_usage_days (
  key_id            uuid NOT NULL,
  day               date NOT NULL,
  spent_nano        bigint NOT NULL DEFAULT 0,
  requests          bigint NOT NULL DEFAULT 0,
  prompt_tokens     bigint NOT NULL DEFAULT 0,
  completion_tokens bigint NOT NULL DEFAULT 0,
  last_used_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id, day)
) WITH (fillfactor = 50);

-- Settled spend of members, teams and organizations per UTC day, written with the generations. Budgets are seeded from
-- it, and pages show it.
CREATE TABLE spend_days (
  kind        text NOT NULL CHECK (kind IN ('member', 'team', 'organization')),
  owner_id    uuid NOT NULL,
  day         date NOT NULL,
  spent_nano  bigint NOT NULL DEFAULT 0,
  requests    bigint NOT NULL DEFAULT 0,
  tokens      bigint NOT NULL DEFAULT 0,
  last_at     timestamptz NOT NULL, -- when the latest request of that day arrived
  PRIMARY KEY (kind, owner_id, day)
) WITH (fillfactor = 50);

-- Rows of these tables live for seconds or change all day, so they are vacuumed by row count, not by a share of the
-- table's size.
ALTER TABLE holds SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE spend_windows SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE wallets SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE spend_days SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

-- The last time a breaker wrote an audit entry. It writes at most one per hour for each scope and window.
CREATE TABLE breaker_trips (
  kind      text NOT NULL, -- as in spend_windows
  owner_id  uuid NOT NULL,
  last_at   timestamptz NOT NULL,
  PRIMARY KEY (kind, owner_id)
);

-- The amounts that a settled request adds to the sums of its organization, team, member and session.
CREATE TYPE organization_share AS (
  organization_id uuid, member_id uuid, team_id uuid, session_id uuid, started_at timestamptz, cost_nano bigint, tokens bigint
);

-- == Generations ==================================================================================================

-- Creates settle_position(), which is the default below.
SELECT set_position_offset(0);

-- One row per finished request, without content. UUIDs version 7 sort by time, so a range of ids is a day. Partitioning
-- by id keeps the primary key global, and a lookup by id opens one partition.
CREATE TABLE generations (
  id                    uuid PRIMARY KEY,
  wallet_id             uuid NOT NULL,
  key_id                uuid NOT NULL,
  user_id               uuid,
  organization_id       uuid,
  member_id             uuid,
  team_id               uuid,
  app_name              text,
  endpoint              text NOT NULL,
  model                 text NOT NULL,
  provider              text,
  upstream_model        text,
  upstream_status       integer,
  finish_reason         text,
  native_finish_reason  text,
  streamed              boolean NOT NULL,
  cancelled             boolean NOT NULL,
  is_byok               boolean NOT NULL DEFAULT false,
  is_failover           boolean NOT NULL,
  started_at            timestamptz NOT NULL,
  first_token_ms        integer,
  duration_ms           integer NOT NULL,
  -- Disjoint token classes: each token is in exactly one.
  uncached_input        bigint NOT NULL DEFAULT 0,
  cache_read            bigint NOT NULL DEFAULT 0,
  cache_write_5m        bigint NOT NULL DEFAULT 0,
  cache_write_1h        bigint NOT NULL DEFAULT 0,
  audio_input           bigint NOT NULL DEFAULT 0,
  text_output           bigint NOT NULL DEFAULT 0,
  reasoning_output      bigint NOT NULL DEFAULT 0,
  image_output          bigint NOT NULL DEFAULT 0,
  audio_output          bigint NOT NULL DEFAULT 0,
  held_nano             bigint NOT NULL DEFAULT 0,
  cost_nano             bigint NOT NULL,
  cache_discount_nano   bigint NOT NULL DEFAULT 0,
  price_id              uuid,
  refund_reason         text,
  attempts              jsonb NOT NULL DEFAULT '[]',
  settled_at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  session_id            uuid,                         -- the institution session that the request came with
  routing               jsonb,                        -- the candidates there were when it was routed
  media                 jsonb,                        -- counts beside tokens (images, audio, characters); null for most
  settled_position          bigint NOT NULL DEFAULT settle_position(), -- readers follow generations in this order
  absorbed_nano         bigint NOT NULL DEFAULT 0,    -- what the request came to beyond what could be charged
  usage_doubted         boolean NOT NULL DEFAULT false -- its reported usage was too large to be believed
) PARTITION BY RANGE (id);
CREATE TABLE generations_default PARTITION OF generations DEFAULT;
CREATE INDEX generations_wallet ON generations (wallet_id, id);
CREATE INDEX generations_user ON generations (user_id, id);
-- Minute and hour windows are seeded from the generations. Personal requests are not in this index.
CREATE INDEX generations_organization ON generations (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX generations_settled ON generations (settled_position);
CREATE TRIGGER generations_positions BEFORE INSERT ON generations FOR EACH STATEMENT EXECUTE FUNCTION refuse_rolled_up_positions();

-- == Usage sums ===================================================================================================
-- Usage and reports are read from sums, never from the generations themselves. The worker rolls settled generations up
-- into them, each exactly once. Old generations and hourly sums are dropped by the partition; days and months of sums
-- stay.

-- The rollup watermark: every generation with a smaller position is in the sums, and no other is.
CREATE TABLE rollup_state (
  only_row        boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  rolled_up_below bigint NOT NULL,
  position_offset bigint NOT NULL,
  cluster         text NOT NULL,      -- whose transactions the positions count
  retained_from   date NOT NULL       -- generations of earlier days have been dropped
);
INSERT INTO rollup_state (rolled_up_below, position_offset, cluster, retained_from)
  SELECT 0, 0, system_identifier::text, '-infinity' FROM pg_control_system();

-- A series has its own sums: a key with every dimension of its requests, or a whole account with a model and an app
-- (then the columns of key, member, team and provider are null). The id is a hash of the other columns, so a rollup
-- needs no lookup, and a repeated rollup finds the same rows. Sums need only this id for their key.
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
-- Pages read the names of all series of a wallet. These indexes store them together; the table scatters them.
CREATE INDEX usage_series_account ON usage_series (wallet_id) INCLUDE (id, model, app_name) WHERE key_id IS NULL;
CREATE INDEX usage_series_wallet ON usage_series (wallet_id) INCLUDE (id, key_id, member_id, team_id, model, provider, app_name)
  WHERE key_id IS NOT NULL;
CREATE INDEX usage_series_key ON usage_series (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX usage_series_member ON usage_series (member_id) WHERE member_id IS NOT NULL;

-- Sums of series. A request counts in the UTC hour in which it was accepted. Columns of the same name mean the same in
-- all tables.
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

-- The counts say how many first tokens arrived within each of the times in domain/usage/first-token-times.ts.
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

-- Sums of whole accounts. Most pages read these, and the number of rows does not grow with the number of keys.
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

-- Sums are updated in place all day, so they are vacuumed sooner than append-only tables.
ALTER TABLE usage_days SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE usage_months SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE usage_account_days SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- The cursor of each event sink: generations with smaller positions have been sent to it. A sink follows the rollup, so
-- the generations between its cursor and rollup_state.rolled_up_below are complete and pending.
CREATE TABLE event_sinks (
  name           text PRIMARY KEY,
  sent_below     bigint NOT NULL,
  sent_at        timestamptz,
  last_error     text,
  failing_since  timestamptz,  -- null while it accepts what it is sent
  due_at         timestamptz   -- not tried before; null: at once
);

-- == Catalogue and routing ========================================================================================
-- Prices are never edited: a change adds a row, and every charge names the row it used, so that a receipt can be
-- computed again years later.

CREATE TABLE models (
  id                    text PRIMARY KEY CHECK (id = lower(id)), -- author/name, perhaps with a suffix such as :free
  name                  text NOT NULL,
  author                text NOT NULL,
  kind                  text NOT NULL CHECK (kind IN
    ('chat', 'image', 'video', 'embedding', 'speech', 'transcription', 'rerank', 'realtime')),
  description           text,
  context_length        bigint,
  max_completion_tokens bigint,
  input_modalities      text[] NOT NULL,
  output_modalities     text[] NOT NULL CHECK (output_modalities <@
    ARRAY['text', 'image', 'embeddings', 'audio', 'video', 'rerank', 'speech', 'transcription']),
  supported_parameters  text[],
  default_provider      text,   -- whose price the listing shows
  upstream_model        text,
  aliases               text[] NOT NULL DEFAULT '{}',
  release_date          date,
  retires_on            date,
  listed                boolean NOT NULL DEFAULT true, -- false: known and callable, but not shown
  details               jsonb NOT NULL DEFAULT '{}'   -- facts for listings only: canonical slug, media limits, knowledge cutoff
);

-- A provider's offer of a model. Several providers may offer the same model.
CREATE TABLE offers (
  model_id              text NOT NULL REFERENCES models (id) ON DELETE CASCADE,
  provider              text NOT NULL,
  variant               text NOT NULL DEFAULT '', -- region or service tier where one provider sells several
  upstream_model        text NOT NULL,
  context_length        bigint,
  max_completion_tokens bigint,
  quantization          text,
  active                boolean NOT NULL DEFAULT true,
  PRIMARY KEY (model_id, provider, variant)
);

CREATE TABLE prices (
  id          uuid PRIMARY KEY,
  model_id    text NOT NULL,
  provider    text NOT NULL,
  variant     text NOT NULL DEFAULT '',
  units       jsonb NOT NULL, -- unit name to exact decimal USD per one unit, as a string; none: no longer priced
  tiers       jsonb NOT NULL DEFAULT '[]', -- ascending; each has abovePromptTokens and the units that hold above it
  valid_from  timestamptz NOT NULL DEFAULT now(),
  rules       jsonb NOT NULL DEFAULT '[]' -- {unit, usd, when}, where `when` names what a request must be for the price to hold
);
CREATE INDEX prices_current ON prices (model_id, provider, variant, valid_from DESC);

-- The operator's accounts with upstream providers.
CREATE TABLE provider_accounts (
  id            uuid PRIMARY KEY,
  name          text NOT NULL UNIQUE,   -- the operator's name for it; the vendor's slug unless there are several
  vendor        text NOT NULL,          -- a folder of providers/
  base_url      text,                   -- null: the vendor's own
  credential    jsonb,                  -- sealed; null where the vendor needs none
  enabled       boolean NOT NULL DEFAULT true,
  created_at    timestamptz NOT NULL DEFAULT now(),
  weight        integer NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 1000), -- its share among accounts with the vendor
  keeps_prompts boolean,                -- null: as the vendor does
  variant       text NOT NULL DEFAULT '', -- the region or service tier whose offers hold for it; empty: told by its address
  overrides     jsonb NOT NULL DEFAULT '[]' -- what its operator knows better than the program's tables; see domain/routing/trait-overrides.ts
);

-- The routes from models to provider accounts.
CREATE TABLE routes (
  id              uuid PRIMARY KEY,
  pattern         text NOT NULL,      -- a model id, 'author/*' or '*'
  account_id      uuid NOT NULL REFERENCES provider_accounts (id) ON DELETE CASCADE,
  upstream_model  text,               -- null: what the catalogue's offer says
  priority        integer NOT NULL DEFAULT 0, -- lower is tried first
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (pattern, account_id)
);

-- The models of the auto router: a list for each tier, in a paid and a free table.
CREATE TABLE auto_tiers (
  table_name  text NOT NULL CHECK (table_name IN ('paid', 'free')),
  tier        text NOT NULL CHECK (tier IN ('simple', 'standard', 'complex', 'reasoning', 'coding', 'vision', 'image', 'video',
                                            'data', 'search', 'social', 'email', 'calendar', 'trading')),
  enabled     boolean NOT NULL DEFAULT true,
  models      text[] NOT NULL DEFAULT '{}' CHECK (cardinality(models) <= 6), -- the primary model, then its fallbacks in order
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (table_name, tier)
);
INSERT INTO auto_tiers (table_name, tier)
SELECT table_name, tier
FROM unnest(ARRAY['paid', 'free']) AS table_name,
     unnest(ARRAY['simple', 'standard', 'complex', 'reasoning', 'coding', 'vision', 'image', 'video', 'data', 'search', 'social',
                  'email', 'calendar', 'trading']) AS tier;

-- Models that are free within a quota when they are called by their own id. Models whose id ends in ':free' are always
-- free and have the default quota, unless a row here overrides it.
CREATE TABLE free_models (
  model_id             text PRIMARY KEY,
  requests_per_minute  integer NOT NULL DEFAULT 10 CHECK (requests_per_minute BETWEEN 0 AND 1000000),
  units_per_day        integer NOT NULL DEFAULT 150 CHECK (units_per_day BETWEEN 0 AND 1000000000),
  enabled              boolean NOT NULL DEFAULT true, -- false: paid, or for a ':free' entry not served
  updated_at           timestamptz NOT NULL DEFAULT now()
);

-- == Platform =====================================================================================================

-- Each in-memory snapshot has a revision here. Processes read this small table every second and reload the snapshots
-- whose revision has changed, so a change reaches every process within seconds even when Redis is unavailable.
CREATE TABLE revisions (
  topic     text PRIMARY KEY,
  revision  bigint NOT NULL DEFAULT 0
);
INSERT INTO revisions (topic) VALUES ('catalogue'), ('routing'), ('brake'), ('own_keys'), ('auto'), ('free');

-- The kill switch: while it is on, no request is dispatched.
CREATE TABLE brake (
  only_row        boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  engaged         boolean NOT NULL DEFAULT false,
  retry_after_s   integer NOT NULL DEFAULT 300 CHECK (retry_after_s IN (30, 300)),
  reason          text,
  changed_at      timestamptz NOT NULL DEFAULT now()
);
INSERT INTO brake DEFAULT VALUES;

-- == Audit log ====================================================================================================
-- Entries are only ever added. Each carries the hash of the one before it in the same chain (an organization's, or the
-- platform's own), so a changed or missing entry shows; `weir audit log` recomputes them.

CREATE TABLE audit_heads (
  chain_id  uuid PRIMARY KEY, -- the organization; all zeros for the platform
  sequence  bigint NOT NULL,
  hash      bytea NOT NULL
);

CREATE TABLE audit_entries (
  chain_id       uuid NOT NULL,
  sequence       bigint NOT NULL,
  id             uuid NOT NULL UNIQUE,
  at             timestamptz NOT NULL,
  actor_kind     text NOT NULL CHECK (actor_kind IN ('user', 'key', 'operator', 'system', 'anonymous')),
  actor_id       text,
  actor_name     text,
  action         text COLLATE "C" NOT NULL, -- so that a prefix is a range of the index
  target_kind    text,
  target_id      text,
  before         jsonb,
  after          jsonb,
  details        jsonb,
  request_id     text,
  previous_hash  bytea NOT NULL,
  hash           bytea NOT NULL,
  PRIMARY KEY (chain_id, sequence)
);
CREATE INDEX audit_entries_action ON audit_entries (chain_id, action, sequence);
CREATE INDEX audit_entries_actor ON audit_entries (chain_id, actor_id, sequence) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entries_at ON audit_entries (chain_id, at);
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- == Institutions =================================================================================================
-- Institution keys admit people with a mail address of an allowed domain: a code goes to the address, and is exchanged
-- for a session that calls models at the organization's expense. The key itself opens nothing.

CREATE TABLE institution_keys (
  key_id                    uuid PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
  allowed_domains           text[] NOT NULL, -- lower case, punycode; an address's domain must equal one of them
  session_ttl_s             integer NOT NULL DEFAULT 86400 CHECK (session_ttl_s > 0),
  verification_ttl_s        integer NOT NULL DEFAULT 900 CHECK (verification_ttl_s > 0),
  max_sessions_per_email    integer NOT NULL DEFAULT 5 CHECK (max_sessions_per_email > 0),
  -- Null means no quota.
  session_request_quota     bigint CHECK (session_request_quota > 0),
  session_token_quota       bigint CHECK (session_token_quota > 0),
  session_spend_quota_nano  bigint CHECK (session_spend_quota_nano > 0)
);

-- One row for each key and address that a code was requested for, whether or not a code was sent: a row without a key
-- is a decoy that no code opens, so that guessing does not reveal which keys and domains exist. Neither address nor
-- code is stored in clear: the subject is an HMAC over the key and the address, the code hash an HMAC over both and the
-- code.
CREATE TABLE institution_codes (
  subject     bytea PRIMARY KEY,
  key_id      uuid REFERENCES api_keys (id) ON DELETE CASCADE,
  code_hmac   bytea NOT NULL,
  attempts    smallint NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL
);
CREATE INDEX institution_codes_created ON institution_codes (created_at);

CREATE TABLE institution_sessions (
  id                uuid PRIMARY KEY,
  key_id            uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  email             text NOT NULL, -- lower case
  token_hash        bytea NOT NULL UNIQUE, -- SHA-256 of the whole token
  created_at        timestamptz NOT NULL DEFAULT now(),
  expires_at        timestamptz NOT NULL,
  revoked_at        timestamptz,
  -- Copied from the key when the session began.
  request_quota     bigint,
  token_quota       bigint,
  spend_quota_nano  bigint,
  requests_used     bigint NOT NULL DEFAULT 0,
  tokens_used       bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX institution_sessions_person ON institution_sessions (key_id, email, created_at);
CREATE INDEX institution_sessions_expiry ON institution_sessions (expires_at);

-- The code requests of the last hour, for rate limiting. Client, key and address are digests of the submitted values,
-- so that keys and domains that do not exist are counted like existing ones.
CREATE TABLE institution_code_requests (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        timestamptz NOT NULL,
  client    bytea NOT NULL,
  key_hash  bytea NOT NULL,
  subject   bytea -- null where the address had to wait: only an admitted request restarts its cooldown
);
CREATE INDEX institution_code_requests_client ON institution_code_requests (client, at);
CREATE INDEX institution_code_requests_key ON institution_code_requests (key_hash, at);
CREATE INDEX institution_code_requests_subject ON institution_code_requests (subject, at) WHERE subject IS NOT NULL;
CREATE INDEX institution_code_requests_at ON institution_code_requests (at);

-- == Content ======================================================================================================

-- Rules by which an organization blocks, redacts or flags content sent with its keys. Each organization has at most
-- 100; adding one locks the organization's row to count them.
CREATE TABLE filter_rules (
  id               uuid PRIMARY KEY,
  organization_id  uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name             text NOT NULL,
  enabled          boolean NOT NULL DEFAULT true,
  action           text NOT NULL CHECK (action IN ('block', 'redact', 'flag')),
  matcher          jsonb NOT NULL CHECK (matcher ->> 'kind' IN ('keyword', 'regex', 'template')),
  -- Rules are shown and applied in this order; rules with the same position by age.
  position         integer NOT NULL DEFAULT 0,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX filter_rules_organization ON filter_rules (organization_id, position, id);

-- Requests that moderation blocked, for operators to review. The text is encrypted under the master secret; the other
-- columns are searchable. Rows are evidence, so they refer to keys and people by id only and outlive them.
CREATE TABLE moderation_evidence (
  id               uuid PRIMARY KEY, -- of the generation that was not made
  at               timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  key_id           uuid NOT NULL,
  user_id          uuid,
  organization_id  uuid,
  session_id       uuid, -- of an institution
  request_id       text,
  endpoint         text NOT NULL,
  model            text NOT NULL,
  source           text NOT NULL CHECK (source IN ('built-in', 'upstream')),
  categories       text[] NOT NULL,
  content          jsonb NOT NULL
);
CREATE INDEX moderation_evidence_expiry ON moderation_evidence (expires_at);

-- == Sign-in ====================================================================================================== The
-- tables auth_* belong to the sign-in library; users and wallets stay ours, and a person has the same id in both.
-- Tokens of links and sessions are stored by their hashes.

CREATE TABLE auth_users (
  id                  uuid PRIMARY KEY, -- that of users
  name                text NOT NULL,
  email               text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified      boolean NOT NULL DEFAULT false,
  image               text,
  two_factor_enabled  boolean DEFAULT false,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE auth_sessions (
  id          uuid PRIMARY KEY,
  token       text NOT NULL UNIQUE,
  user_id     uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  expires_at  timestamptz NOT NULL,
  ip_address  text,
  user_agent  text,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
CREATE INDEX auth_sessions_expiry ON auth_sessions (expires_at);

-- A sign-in method: a password, or an account at another provider.
CREATE TABLE auth_accounts (
  id                        uuid PRIMARY KEY,
  user_id                   uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  provider_id               text NOT NULL,
  account_id                text NOT NULL,
  password                  text, -- hashed
  access_token              text, -- never kept, and neither are the other two
  refresh_token             text,
  id_token                  text,
  access_token_expires_at   timestamptz,
  refresh_token_expires_at  timestamptz,
  scope                     text,
  created_at                timestamptz NOT NULL DEFAULT now(),
  updated_at                timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX auth_accounts_user ON auth_accounts (user_id);

-- Single-use tokens: password reset links, and states of social sign-ins.
CREATE TABLE auth_verifications (
  id          uuid PRIMARY KEY,
  identifier  text NOT NULL,
  value       text NOT NULL,
  expires_at  timestamptz NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);
CREATE INDEX auth_verifications_expiry ON auth_verifications (expires_at);

CREATE TABLE auth_two_factors (
  id                         uuid PRIMARY KEY,
  user_id                    uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  secret                     text NOT NULL, -- encrypted
  backup_codes               text NOT NULL, -- encrypted
  verified                   boolean DEFAULT true,
  failed_verification_count  integer DEFAULT 0,
  locked_until               timestamptz
);
CREATE INDEX auth_two_factors_user ON auth_two_factors (user_id);

CREATE TABLE auth_passkeys (
  id             text PRIMARY KEY, -- named by requests, which may say anything
  user_id        uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  name           text,
  credential_id  text NOT NULL UNIQUE,
  public_key     text NOT NULL,
  counter        bigint NOT NULL,
  device_type    text NOT NULL,
  backed_up      boolean NOT NULL,
  transports     text,
  aaguid         text,
  created_at     timestamptz
);
CREATE INDEX auth_passkeys_user ON auth_passkeys (user_id);

-- == Videos =======================================================================================================
-- Videos are made by jobs that outlive every connection and process. A job's row is written, with its hold, before any
-- upstream is called; workers move it, one step at a time, and its end, its charge and its webhook are one transaction.

CREATE TABLE video_jobs (
  id            uuid PRIMARY KEY,          -- the generation's id; shown as vjob_…
  wallet_id     uuid NOT NULL,
  model         text NOT NULL,
  task          jsonb,                     -- the client's content: sealed while the job runs, and deleted when it is over
  candidates    jsonb NOT NULL,            -- the upstreams that may be asked, in order, each with the price it would be charged at
  asker         jsonb NOT NULL,            -- what its generation will say of the client: key, member, team, app
  held_nano     bigint NOT NULL,
  windows       jsonb NOT NULL,            -- the spend windows of its hold
  progress      jsonb NOT NULL,            -- where it stands; only the job machine moves it
  claim         bigint NOT NULL DEFAULT 0, -- a fencing token: counts claims, and a worker that lost the last one cannot write
  state         text NOT NULL CHECK (state IN ('accepted', 'submitting', 'unknown', 'running', 'storing', 'completed', 'failed')),
  cost_nano     bigint,                    -- once it is over
  own_url       text NOT NULL,             -- where its client reached us, for links
  callback_url  text,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When the next step is due. A worker that takes a step first moves this forward, so a step whose worker died becomes
  -- due again.
  due_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline_at   timestamptz NOT NULL,
  completed_at  timestamptz,
  stored_until  timestamptz,               -- until when its videos can be fetched
  CONSTRAINT video_jobs_task CHECK ((task IS NULL) = (state IN ('completed', 'failed')))
);
CREATE INDEX video_jobs_due ON video_jobs (due_at) WHERE state NOT IN ('completed', 'failed');
CREATE INDEX video_jobs_stored ON video_jobs (stored_until) WHERE stored_until IS NOT NULL;

-- Webhook deliveries to client URLs, at least once each. A delivery's row is also its log.
CREATE TABLE webhook_deliveries (
  id            uuid PRIMARY KEY,          -- X-Webhook-Id
  job_id        uuid NOT NULL,
  wallet_id     uuid NOT NULL,
  url           text NOT NULL,
  body          text NOT NULL,
  attempts      integer NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at        timestamptz DEFAULT clock_timestamp(), -- null: delivered, or given up
  delivered_at  timestamptz,
  last_status   integer,
  last_error    text,
  UNIQUE (job_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;

-- An account's own secret lets it tell our webhooks from forged ones.
CREATE TABLE webhook_secrets (
  id          uuid PRIMARY KEY REFERENCES wallets (id) ON DELETE CASCADE, -- the account's wallet
  secret      jsonb NOT NULL,                                             -- sealed
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
