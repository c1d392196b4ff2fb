-- Batches of requests, which gateways run one line at a time.
CREATE TABLE batches (
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL,
  -- The member or team whose key created it. Null for the other keys of a wallet.
  owner_id uuid,
  -- The person whose key it was. Null for other keys of an organization.
  user_id uuid,
  -- Its lines run as requests of this key.
  key_id uuid NOT NULL,
  -- The network that created it: its lines count as requests from there.
  client_network text NOT NULL,
  -- Whose API created it.
  api text NOT NULL CHECK (api IN ('openai', 'messages')),
  endpoint text NOT NULL,
  input_file_id uuid NOT NULL,
  metadata jsonb,
  status text NOT NULL DEFAULT 'validating'
    CHECK (status IN ('validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelled')),
  total integer NOT NULL DEFAULT 0,
  completed integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  expired integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0,
  -- Why it failed, per line.
  errors jsonb,
  output_file_id uuid,
  error_file_id uuid,
  -- Encrypts the results of its lines. Null once they are in files.
  sealed_key jsonb,
  created_at timestamptz NOT NULL,
  -- Lines that have not started by then never start.
  expires_at timestamptz NOT NULL,
  in_progress_at timestamptz,
  finalizing_at timestamptz,
  cancelling_at timestamptz,
  ended_at timestamptz,
  -- The fencing token of the gateway that runs it, and until when it counts as alive, by Postgres' clock.
  claim bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  due_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX batches_due ON batches (due_at) WHERE status IN ('validating', 'in_progress', 'finalizing');
CREATE INDEX batches_wallet ON batches (wallet_id, id);
CREATE INDEX batches_user ON batches (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX batches_ended ON batches (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX batches_input ON batches (input_file_id) WHERE status IN ('validating', 'in_progress', 'finalizing');

-- The lines of a batch until its results are in files.
CREATE TABLE batch_lines (
  batch_id uuid NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  -- From 1.
  line integer NOT NULL,
  custom_id text NOT NULL,
  -- Its place in the input file.
  first_byte bigint NOT NULL,
  byte_count integer NOT NULL,
  -- The most that it can cost.
  worst_nano bigint NOT NULL,
  -- A line that has started may have been charged, so it is always finished.
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'started', 'done')),
  started_at timestamptz,
  outcome text CHECK (outcome IN ('succeeded', 'errored', 'expired', 'cancelled')),
  -- Status, request id and body, encrypted. Null for a line that never ran.
  result bytea,
  PRIMARY KEY (batch_id, line),
  CHECK ((state = 'done') = (outcome IS NOT NULL))
);

CREATE INDEX batch_lines_open ON batch_lines (batch_id, line) WHERE state <> 'done';
