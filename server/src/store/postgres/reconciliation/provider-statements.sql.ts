import type { Pool } from 'pg'
import type { PaymentSource } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ProviderBalance, ProviderStatements } from '#ports/payments.ts'
import { auditPayments } from './audit-payments.ts'
import { refuseWhenAway } from '../faults.ts'
import { providerSums } from './provider-sums.sql.ts'

/** The provider's ledger as the gateway has read it, on Postgres. */
export function createProviderStatements(pool: Pool): ProviderStatements {
  return {
    keep: (provider, balances) => keepBalances(pool, provider, balances),
    findBehind: (provider) => findBehind(pool, provider),
    readWatermarks: async (provider) => {
      const text = `SELECT CASE WHEN isfinite(events_until) THEN events_until END AS events,
          CASE WHEN isfinite(balances_until) THEN balances_until END AS balances
        FROM payment_watermarks WHERE provider = $1`
      const asked = pool.query<{ events: Date | null; balances: Date | null }>(text, [provider])
      const { rows } = await refuseWhenAway(asked)
      const [row] = rows
      if (row === undefined) return null
      return { eventsUntilMs: row.events?.getTime() ?? null, balancesUntilMs: row.balances?.getTime() ?? null }
    },
    compare: () => refuseWhenAway(auditPayments(pool)),
    advanceEvents: (provider, untilMs) => advance(pool, 'events_until', { provider, untilMs }),
    advanceBalances: (provider, untilMs) => advance(pool, 'balances_until', { provider, untilMs }),
  }
}

/** A provider never changes a line. A line that arrived before its order was known gets the order later. */
async function keepBalances(pool: Pool, provider: PaymentSource, balances: readonly ProviderBalance[]): Promise<void> {
  const text = `INSERT INTO payment_balances AS b (provider, id, kind, top_up_id, currency, amount_minor, fee_cents, created_at)
    SELECT $1, u.id, u.kind, u.top_up_id, u.currency, u.amount, u.fee, to_timestamp(u.created_ms / 1000)
    FROM unnest($2::text[], $3::text[], $4::uuid[], $5::text[], $6::bigint[], $7::bigint[], $8::float8[])
      AS u (id, kind, top_up_id, currency, amount, fee, created_ms)
    ON CONFLICT (provider, id) DO UPDATE SET top_up_id = excluded.top_up_id WHERE b.top_up_id IS NULL`
  if (balances.length === 0) return
  await pool.query(text, [
    provider,
    balances.map(({ id }) => id),
    balances.map(({ kind }) => kind),
    balances.map(({ topUpId }) => topUpId),
    balances.map(({ currency }) => currency),
    balances.map(({ amount }) => amount),
    balances.map(({ fee }) => fee),
    balances.map(({ createdAtMs }) => createdAtMs),
  ])
}

async function findBehind(pool: Pool, provider: PaymentSource): Promise<Uuid[]> {
  const text = `SELECT DISTINCT t.id FROM top_ups t JOIN (${providerSums}) AS p ON p.top_up_id = t.id
    LEFT JOIN (SELECT top_up_id, kind, sum(amount_minor) AS amount FROM top_up_effects GROUP BY 1, 2) AS e
      ON e.top_up_id = t.id AND e.kind = p.kind
    WHERE t.provider = $1 AND p.amount > coalesce(e.amount, 0) AND t.state NOT IN ('mismatch') AND t.mismatch IS DISTINCT FROM 'currency'
    ORDER BY 1 LIMIT 100`
  const { rows } = await pool.query<{ id: string }>(text, [provider])
  return rows.map(({ id }) => id)
}

async function advance(
  pool: Pool,
  column: 'events_until' | 'balances_until',
  { provider, untilMs }: { provider: PaymentSource; untilMs: number },
): Promise<void> {
  const values =
    column === 'events_until'
      ? `to_timestamp($2::float8 / 1000), '-infinity'`
      : `'-infinity', to_timestamp($2::float8 / 1000)`
  const text = `INSERT INTO payment_watermarks AS m (provider, events_until, balances_until) VALUES ($1, ${values})
    ON CONFLICT (provider) DO UPDATE SET ${column} = greatest(m.${column}, excluded.${column})`
  await pool.query(text, [provider, untilMs])
}
