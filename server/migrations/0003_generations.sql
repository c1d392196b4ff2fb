-- One row per finished request, without content. The id is a UUID version 7, whose order is that of time, so a range
-- of ids is a day: partitions are by id, the primary key stays global, and a lookup by id opens one partition.

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
  settled_at            timestamptz NOT NULL DEFAULT clock_timestamp()
) PARTITION BY RANGE (id);
CREATE TABLE generations_default PARTITION OF generations DEFAULT;
CREATE INDEX generations_wallet ON generations (wallet_id, id);
CREATE INDEX generations_user ON generations (user_id, id);

-- The smallest version-7 id of a moment: its 48 bits of Unix milliseconds, then zeros.
CREATE FUNCTION first_id_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the partitions of the coming days and months; run by migrate and daily by the worker.
CREATE FUNCTION ensure_partitions(from_day date, day_count integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  day date;
  month date;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('weir.ensure_partitions'));
  FOR day IN SELECT from_day + n FROM generate_series(0, day_count - 1) AS n LOOP
    IF to_regclass('generations_' || to_char(day, 'YYYYMMDD')) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF generations FOR VALUES FROM (%L) TO (%L)',
        'generations_' || to_char(day, 'YYYYMMDD'),
        first_id_at(day::timestamp AT TIME ZONE 'UTC'), first_id_at((day + 1)::timestamp AT TIME ZONE 'UTC'));
      made := made + 1;
    END IF;
    month := date_trunc('month', day)::date;
    IF to_regclass('ledger_transfers_' || to_char(month, 'YYYYMM')) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF ledger_transfers FOR VALUES FROM (%L) TO (%L)',
        'ledger_transfers_' || to_char(month, 'YYYYMM'),
        first_id_at(month::timestamp AT TIME ZONE 'UTC'),
        first_id_at((month + interval '1 month')::timestamp AT TIME ZONE 'UTC'));
      made := made + 1;
    END IF;
  END LOOP;
  RETURN made;
END $$;
SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 1, 9);
