import type { Pool } from 'pg'

/** Something the books say twice and not alike. Amounts are nano-USD as text. */
export interface Discrepancy {
  /** Null where the rows at fault lead to no wallet. */
  walletId: string | null
  what: string
  /** The row at fault: a hold's or generation's id, a key and day, a window. Null for the wallet itself. */
  subject: string | null
  expected: string
  found: string
}

// One statement sees one moment, so a running system can be audited. It reads every record: run it on a replica when
// they are many.
const text = `WITH posted AS (
    SELECT wallet_id, sum(amount_nano) AS balance,
      coalesce(-sum(amount_nano) FILTER (WHERE kind = 'charge'), 0) AS charged,
      coalesce(sum(amount_nano) FILTER (WHERE kind <> 'charge'), 0) AS credited
    FROM ledger_postings WHERE account = 'wallet' GROUP BY wallet_id
  ), promised AS (
    SELECT wallet_id, sum(amount_nano) AS held FROM holds GROUP BY wallet_id
  ), owed AS (
    -- What was charged above its hold, or after its hold had lapsed, may take a wallet below zero.
    SELECT g.wallet_id, sum(CASE WHEN l.id IS NULL THEN greatest(g.cost_nano - g.held_nano, 0) ELSE g.cost_nano END) AS debt
    FROM generations g LEFT JOIN lapsed_holds l ON l.id = g.id GROUP BY g.wallet_id
  ), books AS (
    SELECT coalesce(w.id, p.wallet_id, h.wallet_id) AS wallet_id, w.id IS NOT NULL AS exists,
      coalesce(p.balance, 0) AS balance, coalesce(p.charged, 0) AS charged, coalesce(p.credited, 0) AS credited,
      coalesce(h.held, 0) AS held, coalesce(o.debt, 0) AS debt,
      w.balance_nano, w.charged_nano, w.credited_nano, w.held_nano, w.credit_line_nano
    FROM wallets w FULL JOIN posted p ON p.wallet_id = w.id FULL JOIN promised h ON h.wallet_id = coalesce(w.id, p.wallet_id)
    LEFT JOIN owed o ON o.wallet_id = w.id
  ), counted AS (
    SELECT x.kind, x.owner_id, x.starts_at, sum(h.amount_nano) AS held, min(h.wallet_id::text)::uuid AS wallet_id
    FROM holds h, unnest(h.window_kinds, h.window_owners, h.window_starts) AS x (kind, owner_id, starts_at) GROUP BY 1, 2, 3
  ), used AS (
    SELECT key_id, (started_at AT TIME ZONE 'UTC')::date AS day, sum(cost_nano) AS spent, min(wallet_id::text)::uuid AS wallet_id
    FROM generations GROUP BY 1, 2
  ), shared AS (
    SELECT o.kind, o.owner_id, (g.started_at AT TIME ZONE 'UTC')::date AS day, sum(g.cost_nano) AS spent,
      min(g.wallet_id::text)::uuid AS wallet_id
    FROM generations g
    CROSS JOIN LATERAL (VALUES ('member', g.member_id), ('team', g.team_id), ('organization', g.organization_id)) AS o (kind, owner_id)
    WHERE g.organization_id IS NOT NULL AND o.owner_id IS NOT NULL GROUP BY 1, 2, 3
  )
  SELECT wallet_id AS "walletId", 'wallet exists' AS what, NULL AS subject, 'true' AS expected, 'false' AS found FROM books WHERE NOT exists
  UNION ALL SELECT wallet_id, 'balance is the sum of its postings', NULL, balance::text, balance_nano::text
    FROM books WHERE exists AND balance <> balance_nano
  UNION ALL SELECT wallet_id, 'charged is the sum of its charges', NULL, charged::text, charged_nano::text
    FROM books WHERE exists AND charged <> charged_nano
  UNION ALL SELECT wallet_id, 'credited is the sum of its credits', NULL, credited::text, credited_nano::text
    FROM books WHERE exists AND credited <> credited_nano
  UNION ALL SELECT wallet_id, 'held is the sum of its open holds', NULL, held::text, held_nano::text
    FROM books WHERE exists AND held <> held_nano
  UNION ALL SELECT wallet_id, 'balance covers what is held, but for recorded debt', NULL, '>= ' || (-debt)::text,
      (balance_nano + credit_line_nano - held_nano)::text
    FROM books WHERE exists AND balance_nano + credit_line_nano - held_nano < least(-debt, 0)
  UNION ALL SELECT coalesce(c.wallet_id, k.wallet_id, w.id), 'a window holds the sum of the holds that count in it',
      concat_ws(' ', coalesce(s.kind, c.kind), coalesce(s.owner_id, c.owner_id), coalesce(s.starts_at, c.starts_at)),
      coalesce(c.held, 0)::text, coalesce(s.held_nano::text, 'no window')
    FROM spend_windows s FULL JOIN counted c ON c.kind = s.kind AND c.owner_id = s.owner_id AND c.starts_at = s.starts_at
    LEFT JOIN api_keys k ON k.id = s.owner_id
    LEFT JOIN teams t ON t.id = s.owner_id
    LEFT JOIN members m ON m.id = s.owner_id
    LEFT JOIN wallets w ON w.owner_id = coalesce(t.organization_id, m.organization_id, s.owner_id)
    WHERE coalesce(c.held, 0) IS DISTINCT FROM s.held_nano
  UNION ALL SELECT u.wallet_id, 'a key spent in a day what its generations cost',
      concat_ws(' ', coalesce(d.key_id, u.key_id), coalesce(d.day, u.day)), coalesce(u.spent, 0)::text, coalesce(d.spent_nano::text, 'no day')
    FROM key_usage_days d FULL JOIN used u ON u.key_id = d.key_id AND u.day = d.day
    WHERE coalesce(u.spent, 0) IS DISTINCT FROM d.spent_nano
  UNION ALL SELECT h.wallet_id, 'a member, team or organization spent in a day what its generations cost',
      concat_ws(' ', coalesce(d.kind, h.kind), coalesce(d.owner_id, h.owner_id), coalesce(d.day, h.day)),
      coalesce(h.spent, 0)::text, coalesce(d.spent_nano::text, 'no day')
    FROM spend_days d FULL JOIN shared h ON h.kind = d.kind AND h.owner_id = d.owner_id AND h.day = d.day
    WHERE coalesce(h.spent, 0) IS DISTINCT FROM d.spent_nano
  UNION ALL SELECT coalesce(g.wallet_id, t.wallet_id), 'a charge is its generation''s cost', coalesce(g.id, t.id)::text,
      coalesce(g.cost_nano::text, 'no generation'), coalesce(t.amount_nano::text, 'no charge')
    FROM (SELECT id, wallet_id, cost_nano FROM generations WHERE cost_nano <> 0) AS g
    FULL JOIN (SELECT id, wallet_id, amount_nano FROM ledger_transfers WHERE kind = 'charge') AS t ON t.id = g.id
    WHERE g.cost_nano IS DISTINCT FROM t.amount_nano OR g.wallet_id IS DISTINCT FROM t.wallet_id
  UNION ALL SELECT h.wallet_id, 'a settled request holds nothing', h.id::text, '0', h.amount_nano::text
    FROM holds h JOIN generations g ON g.id = h.id
  UNION ALL SELECT h.wallet_id, 'a hold ends with its lease', h.id::text, '<= ' || $1::text || ' ms',
      floor(extract(epoch FROM clock_timestamp() - h.lease_until) * 1000)::text || ' ms'
    FROM holds h WHERE h.lease_until < clock_timestamp() - $1::integer * interval '1 millisecond'
  ORDER BY 1, 2, 3`

/** Whether the books agree with themselves; an empty list says so. `overdueMs` is how late the sweeper may be. */
export async function auditLedger(pool: Pool, options: { overdueMs: number }): Promise<Discrepancy[]> {
  const { rows } = await pool.query<Discrepancy>(text, [options.overdueMs])
  return rows
}
