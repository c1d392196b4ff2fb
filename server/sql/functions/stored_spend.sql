-- The amount that a scope had already spent when its window row is first needed. Days and longer periods come from
-- daily sums, minutes and hours from the generations.
CREATE OR REPLACE FUNCTION stored_spend(kind text, owner uuid, starts_at bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  holder text := split_part(kind, '_', 1);
  length text := split_part(kind, '_', 2);
  since timestamp := to_timestamp(starts_at / 1000.0) AT TIME ZONE 'UTC';
  until timestamp := CASE WHEN length IN ('life', 'balance') THEN timestamp '9999-01-01' ELSE since + ('1 ' || length)::interval END;
  first_id uuid := first_id_at(since AT TIME ZONE 'UTC');
  end_id uuid := first_id_at(until AT TIME ZONE 'UTC');
  home uuid;
BEGIN
  IF kind = 'customer_balance' THEN
    RETURN 0; -- a balance begins empty, and its row is never deleted
  ELSIF holder = 'key' THEN
    RETURN (SELECT coalesce(sum(u.spent_nano), 0) FROM key_usage_days u
            WHERE u.key_id = owner AND u.day >= since::date AND u.day < until::date);
  ELSIF holder = 'user' THEN
    RETURN (SELECT coalesce(sum(g.cost_nano), 0) FROM generations g
            WHERE g.user_id = owner AND g.id >= first_id AND g.id < end_id);
  ELSIF holder = 'person' THEN
    RETURN (SELECT coalesce(sum(p.spent_nano), 0) FROM institution_person_months p
            WHERE p.person_id = owner AND p.month >= since::date AND p.month < until::date);
  ELSIF holder NOT IN ('member', 'team', 'organization', 'customer', 'run') THEN
    RETURN 0; -- a session's quota is fixed before its first request
  ELSIF length NOT IN ('minute', 'hour') THEN
    RETURN (SELECT coalesce(sum(d.spent_nano), 0) FROM spend_days d
            WHERE d.kind = holder AND d.owner_id = owner AND d.day >= since::date AND d.day < until::date);
  END IF;
  -- The limit has nearly always been on for longer than this window, so the window starts with its first request.
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
