-- What members, teams and organizations have spent, for the limits that are set on them.

-- Settled spend per UTC day, written with the generations themselves: what budgets are seeded from and pages show.
CREATE TABLE spend_days (
  kind        text NOT NULL CHECK (kind IN ('member', 'team', 'organization')),
  owner_id    uuid NOT NULL,
  day         date NOT NULL,
  spent_nano  bigint NOT NULL DEFAULT 0,
  requests    bigint NOT NULL DEFAULT 0,
  tokens      bigint NOT NULL DEFAULT 0,
  last_at     timestamptz NOT NULL, -- when the latest request of that day had come
  PRIMARY KEY (kind, owner_id, day)
) WITH (fillfactor = 50);
ALTER TABLE spend_days SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

-- The institution's session that a request came with, and what there was to choose between when it was routed.
ALTER TABLE generations ADD COLUMN session_id uuid, ADD COLUMN routing jsonb;

-- Minutes and hours are summed from the generations themselves. Personal requests are not in this index.
CREATE INDEX generations_organization ON generations (organization_id, id) WHERE organization_id IS NOT NULL;

-- Breakers leave a window for every minute and hour that somebody spent in; the worker deletes those that are over.
CREATE INDEX spend_windows_short ON spend_windows (starts_at) WHERE kind LIKE '%\_minute' OR kind LIKE '%\_hour';

-- When a breaker last left an entry in the audit log: at most one an hour for each scope and window.
CREATE TABLE breaker_trips (
  kind      text NOT NULL, -- as in spend_windows
  owner_id  uuid NOT NULL,
  last_at   timestamptz NOT NULL,
  PRIMARY KEY (kind, owner_id)
);

-- What a scope had already spent when its window row is first needed.
CREATE OR REPLACE FUNCTION stored_spend(kind text, owner uuid, starts_at bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  holder text := split_part(kind, '_', 1);
  length text := split_part(kind, '_', 2);
  since timestamp := to_timestamp(starts_at / 1000.0) AT TIME ZONE 'UTC';
  until timestamp := CASE length WHEN 'life' THEN timestamp '9999-01-01' ELSE since + ('1 ' || length)::interval END;
  first_id uuid := first_id_at(since AT TIME ZONE 'UTC');
  end_id uuid := first_id_at(until AT TIME ZONE 'UTC');
  home uuid;
BEGIN
  IF holder = 'key' THEN
    RETURN (SELECT coalesce(sum(u.spent_nano), 0) FROM key_usage_days u
            WHERE u.key_id = owner AND u.day >= since::date AND u.day < until::date);
  ELSIF holder = 'user' THEN
    RETURN (SELECT coalesce(sum(g.cost_nano), 0) FROM generations g
            WHERE g.user_id = owner AND g.id >= first_id AND g.id < end_id);
  ELSIF holder NOT IN ('member', 'team', 'organization') THEN
    RETURN 0; -- a session's quota is fixed before its first request
  ELSIF length NOT IN ('minute', 'hour') THEN
    RETURN (SELECT coalesce(sum(d.spent_nano), 0) FROM spend_days d
            WHERE d.kind = holder AND d.owner_id = owner AND d.day >= since::date AND d.day < until::date);
  END IF;
  -- Nearly always the limit has been on for longer than this window, which then begins with its first request.
  IF NOT EXISTS (SELECT 1 FROM spend_days d WHERE d.kind = holder AND d.owner_id = owner AND d.day = since::date
                 AND d.last_at >= since AT TIME ZONE 'UTC') THEN
    RETURN 0;
  END IF;
  home := CASE holder WHEN 'organization' THEN owner
    WHEN 'team' THEN (SELECT t.organization_id FROM teams t WHERE t.id = owner)
    ELSE (SELECT m.organization_id FROM members m WHERE m.id = owner) END;
  RETURN (SELECT coalesce(sum(g.cost_nano), 0) FROM generations g
          WHERE g.organization_id = home AND g.id >= first_id AND g.id < end_id
            AND CASE holder WHEN 'member' THEN g.member_id = owner WHEN 'team' THEN g.team_id = owner ELSE true END);
END $$;

-- Counts the open windows of these owners anew from stored sums. Called in the transaction that switches a limit on or
-- changes it, because nothing was counted while it was off. The windows are locked by a statement of their own: a settle
-- that was being counted is then either complete, and seen by the next statement, or still to come.
CREATE FUNCTION recount_windows(kinds text[], owners uuid[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  -- A gateway's clock may be a little behind this one.
  late timestamptz := clock_timestamp() - interval '5 s';
  open_kinds text[];
  open_owners uuid[];
  open_starts bigint[];
BEGIN
  SELECT array_agg(x.kind), array_agg(x.owner_id), array_agg(x.starts_at) INTO open_kinds, open_owners, open_starts FROM (
    SELECT s.kind, s.owner_id, s.starts_at
    FROM (SELECT k.kind, o.owner, extract(epoch FROM late - CASE split_part(k.kind, '_', 2)
            WHEN 'life' THEN interval '1000 years' WHEN 'month' THEN interval '31 days'
            ELSE ('1 ' || split_part(k.kind, '_', 2))::interval END) * 1000 AS opened_after
          FROM unnest(kinds) AS k (kind), unnest(owners) AS o (owner)) AS n
    JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at > n.opened_after
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s) AS x;
  UPDATE spend_windows s SET spent_nano = stored_spend(s.kind, s.owner_id, s.starts_at)
    FROM unnest(open_kinds, open_owners, open_starts) AS n (kind, owner, starts_at)
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at;
END $$;
