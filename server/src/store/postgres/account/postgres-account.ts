import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type {
  AccountReads,
  GenerationArchive,
  KeyUse,
  KeyUseQuery,
  PeriodUse,
  WalletTotals,
} from '#ports/account-reads.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'
import { findGeneration, findLapsedHold } from '../generations/find-generation.sql.ts'

/** Account data for the account itself, from Postgres. */
export function createPostgresAccount(pool: Pool): { account: AccountReads; generations: GenerationArchive } {
  return {
    account: {
      readKeyUse: (query) => refuseWhenAway(readKeyUse(pool, query)),
      readWalletTotals: (walletId) => refuseWhenAway(readWalletTotals(pool, walletId)),
    },
    generations: {
      find: (scope, id) => refuseWhenAway(findGeneration(pool, scope, id)),
      findLapsed: (scope, id) => refuseWhenAway(findLapsedHold(pool, scope, id)),
    },
  }
}

interface Row {
  spent: string
  requests: string
  spent_day: string
  requests_day: string
  spent_week: string
  requests_week: string
  spent_month: string
  requests_month: string
  balance: string | null
  cap_taken: string | null
}

async function readKeyUse(pool: Pool, query: KeyUseQuery): Promise<KeyUse> {
  // A window without holds has no row. Its stored sum is then the starting value of the next hold.
  const text = `SELECT
      coalesce(sum(d.spent_nano), 0) AS spent, coalesce(sum(d.requests), 0) AS requests,
      coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= $3::date), 0) AS spent_day,
      coalesce(sum(d.requests) FILTER (WHERE d.day >= $3::date), 0) AS requests_day,
      coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= $4::date), 0) AS spent_week,
      coalesce(sum(d.requests) FILTER (WHERE d.day >= $4::date), 0) AS requests_week,
      coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= $5::date), 0) AS spent_month,
      coalesce(sum(d.requests) FILTER (WHERE d.day >= $5::date), 0) AS requests_month,
      (SELECT w.balance_nano FROM wallets w WHERE w.id = $2) AS balance,
      CASE WHEN $6::text IS NOT NULL THEN coalesce(
        (SELECT s.held_nano + s.spent_nano FROM spend_windows s WHERE s.kind = $6 AND s.owner_id = $1 AND s.starts_at = $7),
        stored_spend($6, $1, $7)) END AS cap_taken
    FROM key_usage_days d WHERE d.key_id = $1`
  const starts = [query.dayStartMs, query.weekStartMs, query.monthStartMs]
  const days = starts.map((startMs) => new Date(startMs).toISOString().slice(0, 10))
  const values = [query.keyId, query.walletId, ...days, query.cap?.kind ?? null, query.cap?.startsAtMs ?? null]
  const { rows } = await pool.query<Row>({ name: 'read-key-use', text, values })
  const [row] = rows
  if (row === undefined) throw new Error('the key usage query returned no row')
  return {
    total: periodUse(row.spent, row.requests),
    day: periodUse(row.spent_day, row.requests_day),
    week: periodUse(row.spent_week, row.requests_week),
    month: periodUse(row.spent_month, row.requests_month),
    balance: readNano(row.balance ?? '0'),
    capTaken: row.cap_taken === null ? null : readNano(row.cap_taken),
  }
}

function periodUse(spent: string, requests: string): PeriodUse {
  return { spent: readNano(spent), requests: Number(requests) }
}

async function readWalletTotals(pool: Pool, walletId: Uuid): Promise<WalletTotals> {
  const text = 'SELECT credited_nano, charged_nano, customers_nano FROM wallets WHERE id = $1'
  const { rows } = await pool.query<Record<'credited_nano' | 'charged_nano' | 'customers_nano', string>>({
    name: 'read-wallet-totals',
    text,
    values: [walletId],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`an API key references the wallet ${walletId}, which does not exist`)
  return {
    credited: readNano(row.credited_nano),
    charged: readNano(row.charged_nano),
    inCustomerBalances: readNano(row.customers_nano),
  }
}
