import type { Pool } from 'pg'

/** An exceeded limit, with the rows that show it. */
interface Overspend {
  readonly what: string
  readonly rows: readonly object[]
}

/**
 * I8 over a whole database: no wallet, key cap, budget, customer limit or session quota exceeds its limit by even one
 * nano-dollar, and the operator absorbs only amounts that a hold did not cover. The current limits count: a limit
 * lowered below the spent amount would be found as well.
 */
export async function findOverspend(pool: Pool): Promise<Overspend[]> {
  const found: Overspend[] = []
  for (const { what, text } of rules) {
    const { rows } = await pool.query<object>(text)
    if (rows.length > 0) found.push({ what, rows })
  }
  return found
}

const limits = `limits AS (
    SELECT 'key_' || coalesce(spend_limit_period, 'life') AS kind, id AS owner_id, spend_limit_nano AS limit_nano FROM api_keys
    UNION ALL SELECT 'session_life', id, spend_quota_nano FROM institution_sessions
    UNION ALL SELECT 'token_life', id, limit_nano FROM customer_tokens
    UNION ALL SELECT DISTINCT 'person_month', coalesce(s.person_id, s.id), i.person_month_quota_nano
      FROM institution_sessions s JOIN institution_keys i ON i.key_id = s.key_id
    UNION ALL SELECT 'member_month', id, monthly_budget_nano FROM members
    UNION ALL SELECT 'team_month', id, monthly_budget_nano FROM teams
    UNION ALL SELECT 'organization_week', id, weekly_budget_nano FROM organizations
    UNION ALL SELECT 'organization_month', id, monthly_budget_nano FROM organizations
    UNION ALL SELECT 'customer_day', id, day_limit_nano FROM end_customers
    UNION ALL SELECT 'customer_month', id, month_limit_nano FROM end_customers
    UNION ALL SELECT 'customer_life', id, total_limit_nano FROM end_customers
  )`

// The window counter alone is not trusted: the stored settled requests may not exceed the limit either.
const recorded = `CASE s.kind
    WHEN 'session_life'
    THEN (SELECT coalesce(sum(g.cost_nano), 0)::bigint FROM generations g WHERE g.session_id = s.owner_id)
    WHEN 'person_month'
    THEN (SELECT coalesce(sum(g.cost_nano), 0)::bigint FROM generations g JOIN institution_sessions i ON i.id = g.session_id
      WHERE coalesce(i.person_id, i.id) = s.owner_id
        AND date_trunc('month', g.started_at AT TIME ZONE 'UTC') = to_timestamp(s.starts_at / 1000.0) AT TIME ZONE 'UTC')
    ELSE stored_spend(s.kind, s.owner_id, s.starts_at) END`

const rules: readonly { what: string; text: string }[] = [
  {
    what: 'no wallet has spent or promised more than it has',
    text: `SELECT id, balance_nano, credit_line_nano, held_nano FROM wallets
      WHERE balance_nano + credit_line_nano - held_nano < 0 ORDER BY id`,
  },
  {
    what: "no customer's balance has spent or promised more than it has",
    text: `SELECT owner_id, spent_nano, held_nano FROM spend_windows
      WHERE kind = 'customer_balance' AND spent_nano + held_nano > 0 ORDER BY owner_id`,
  },
  {
    what: 'no key cap, budget, customer limit or session quota is exceeded',
    text: `WITH ${limits}, spent AS (
        SELECT s.*, l.limit_nano, ${recorded} AS recorded_nano
        FROM spend_windows s JOIN limits l ON l.kind = s.kind AND l.owner_id = s.owner_id WHERE l.limit_nano IS NOT NULL)
      SELECT * FROM spent WHERE greatest(spent_nano, recorded_nano) + held_nano > limit_nano ORDER BY kind, owner_id, starts_at`,
  },
  {
    // A settlement whose hold has expired reserves a new one from the remaining amount, which its record does not show.
    what: 'no charge is above its hold',
    text: `SELECT id, held_nano, cost_nano, absorbed_nano FROM generations g
      WHERE cost_nano > held_nano AND NOT EXISTS (SELECT 1 FROM lapsed_holds l WHERE l.id = g.id) ORDER BY id`,
  },
  {
    what: 'the operator absorbs only what a hold does not cover',
    text: `SELECT id, held_nano, cost_nano, absorbed_nano, usage_doubted FROM generations g
      WHERE absorbed_nano < 0 OR (absorbed_nano > 0 AND cost_nano < held_nano
        AND NOT EXISTS (SELECT 1 FROM lapsed_holds l WHERE l.id = g.id)) ORDER BY id`,
  },
]
