import type { Pool, PoolClient } from 'pg'
import type { BudgetUse, ToldAlert } from '#domain/alerts/judge-alerts.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { windowStart } from '#domain/limits/window.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChosenAlerts } from '#ports/alerts.ts'
import { readNano } from '../column-values.ts'
import { openCapWindows } from '../money/open-cap-windows.ts'

interface Row {
  by_mail: boolean
  webhook_url: string | null
  balances_nano: string[]
  budget_percents: number[]
}

const columns = 'by_mail, webhook_url, balances_nano::text[] AS balances_nano, budget_percents'

export function findAlerts(pool: Pool, walletId: Uuid): Promise<ChosenAlerts | null> {
  return findOne(pool, `SELECT ${columns} FROM wallet_alerts WHERE wallet_id = $1`, walletId)
}

/** Also returns null if another worker has the lock. */
export function lockAlerts(client: PoolClient, walletId: Uuid): Promise<ChosenAlerts | null> {
  return findOne(client, `SELECT ${columns} FROM wallet_alerts WHERE wallet_id = $1 FOR UPDATE SKIP LOCKED`, walletId)
}

async function findOne(connection: Pool | PoolClient, text: string, walletId: Uuid): Promise<ChosenAlerts | null> {
  const { rows } = await connection.query<Row>(text, [walletId])
  const [row] = rows
  if (row === undefined) return null
  return {
    byMail: row.by_mail,
    webhookUrl: row.webhook_url,
    balances: row.balances_nano.map(readNano),
    budgetPercents: row.budget_percents,
  }
}

/** The wallet is checked again, regardless of earlier alerts. */
export async function upsertAlerts(client: PoolClient, walletId: Uuid, chosen: ChosenAlerts): Promise<void> {
  const text = `INSERT INTO wallet_alerts (wallet_id, by_mail, webhook_url, balances_nano, budget_percents)
    VALUES ($1, $2, $3, $4::bigint[], $5::integer[])
    ON CONFLICT (wallet_id) DO UPDATE SET by_mail = $2, webhook_url = $3, balances_nano = $4::bigint[], budget_percents = $5::integer[],
      credited_nano = NULL, charged_nano = NULL, updated_at = now()`
  const { byMail, webhookUrl, balances, budgetPercents } = chosen
  await client.query(text, [walletId, byMail, webhookUrl, balances.map(String), budgetPercents])
}

/** Reads only rows with alerts, each with its wallet. A wallet without changes is skipped. */
export async function listMoved(pool: Pool, atMost: number): Promise<Uuid[]> {
  const text = `SELECT a.wallet_id FROM wallet_alerts a JOIN wallets w ON w.id = a.wallet_id
    WHERE (a.by_mail OR a.webhook_url IS NOT NULL)
      AND (a.credited_nano IS DISTINCT FROM w.credited_nano - w.customers_nano OR a.charged_nano IS DISTINCT FROM w.charged_nano)
    LIMIT $1`
  const { rows } = await pool.query<{ wallet_id: string }>(text, [atMost])
  return rows.map(({ wallet_id }) => wallet_id)
}

interface WalletTotals {
  readonly balance: NanoUsd
  readonly organization: string | null
}

/**
 * Records the totals that are judged, so that later changes are checked again. The owner's own requests cannot use
 * money in customer balances, so it is left out.
 */
export async function noteTotals(client: PoolClient, walletId: Uuid): Promise<WalletTotals> {
  const text = `UPDATE wallet_alerts a SET credited_nano = w.credited_nano - w.customers_nano, charged_nano = w.charged_nano
    FROM wallets w LEFT JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id
    WHERE a.wallet_id = $1 AND w.id = $1 RETURNING (w.balance_nano + w.credit_line_nano - w.customers_nano)::text AS balance, o.name AS organization`
  const { rows } = await client.query<{ balance: string; organization: string | null }>(text, [walletId])
  const { balance = '0', organization = null } = rows[0] ?? {}
  return { balance: readNano(balance), organization }
}

interface BudgetRow {
  kind: string
  owner_id: string
  name: string
  starts_at: string
  limit_nano: string
  spent_nano: string
}

const budgets = `SELECT 'organization_week' AS kind, o.id AS owner_id, o.name, o.weekly_budget_nano AS limit_nano, $4::bigint AS starts_at
      FROM wallets w JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id WHERE w.id = $1
    UNION ALL SELECT 'organization_month', o.id, o.name, o.monthly_budget_nano, $5::bigint
      FROM wallets w JOIN organizations o ON w.owner_kind = 'organization' AND o.id = w.owner_id WHERE w.id = $1
    UNION ALL SELECT 'team_month', t.id, t.name, t.monthly_budget_nano, $5
      FROM wallets w JOIN teams t ON w.owner_kind = 'organization' AND t.organization_id = w.owner_id WHERE w.id = $1
    UNION ALL SELECT 'member_month', m.id, coalesce(nullif(u.name, ''), u.email), m.monthly_budget_nano, $5
      FROM wallets w JOIN members m ON w.owner_kind = 'organization' AND m.organization_id = w.owner_id JOIN users u ON u.id = m.user_id
      WHERE w.id = $1
    UNION ALL SELECT 'key_' || coalesce(k.spend_limit_period, 'life'), k.id, k.name, k.spend_limit_nano, c.starts_at
      FROM api_keys k JOIN unnest($2::text[], $3::bigint[]) AS c (period, starts_at) ON c.period IS NOT DISTINCT FROM k.spend_limit_period
      WHERE k.wallet_id = $1 AND k.revoked_at IS NULL AND k.spend_limit_nano IS NOT NULL`

/** Budgets with spending in their current window. */
export async function readBudgets(client: PoolClient, walletId: Uuid, nowMs: number): Promise<BudgetUse[]> {
  const text = `SELECT b.kind, b.owner_id, b.name, b.starts_at::text, b.limit_nano::text, s.spent_nano::text
    FROM (${budgets}) AS b JOIN spend_windows s ON s.kind = b.kind AND s.owner_id = b.owner_id AND s.starts_at = b.starts_at
    WHERE b.limit_nano > 0 AND s.spent_nano > 0 ORDER BY b.kind, b.owner_id`
  const caps = openCapWindows(nowMs)
  const starts = [windowStart('week', nowMs), windowStart('month', nowMs)]
  const { rows } = await client.query<BudgetRow>(text, [walletId, caps.periods, caps.starts, ...starts])
  return rows.map((row) => ({
    kind: row.kind,
    ownerId: row.owner_id,
    name: row.name,
    startsAtMs: Number(row.starts_at),
    limit: readNano(row.limit_nano),
    spent: readNano(row.spent_nano),
  }))
}

interface ToldRow {
  kind: string
  owner_id: string
  starts_at: string
  threshold: string
}

export async function readTold(client: PoolClient, walletId: Uuid): Promise<ToldAlert[]> {
  const text = 'SELECT kind, owner_id, starts_at, threshold FROM told_alerts WHERE wallet_id = $1'
  const { rows } = await client.query<ToldRow>(text, [walletId])
  return rows.map(({ kind, owner_id, starts_at, threshold }) => ({
    kind,
    ownerId: owner_id,
    startsAtMs: Number(starts_at),
    threshold: BigInt(threshold),
  }))
}

export async function insertTold(client: PoolClient, walletId: Uuid, told: readonly ToldAlert[]): Promise<void> {
  const text = `INSERT INTO told_alerts (wallet_id, kind, owner_id, starts_at, threshold)
    SELECT $1, * FROM unnest($2::text[], $3::uuid[], $4::bigint[], $5::bigint[])`
  await client.query(text, [walletId, ...columnsOf(told)])
}

export async function deleteTold(client: PoolClient, walletId: Uuid, told: readonly ToldAlert[]): Promise<void> {
  const text = `DELETE FROM told_alerts t USING unnest($2::text[], $3::uuid[], $4::bigint[], $5::bigint[]) AS gone (kind, owner_id, starts_at, threshold)
    WHERE t.wallet_id = $1 AND t.kind = gone.kind AND t.owner_id = gone.owner_id AND t.starts_at = gone.starts_at AND t.threshold = gone.threshold`
  await client.query(text, [walletId, ...columnsOf(told)])
}

function columnsOf(told: readonly ToldAlert[]): (string | number)[][] {
  return [
    told.map(({ kind }) => kind),
    told.map(({ ownerId }) => ownerId),
    told.map(({ startsAtMs }) => startsAtMs),
    told.map(({ threshold }) => String(threshold)),
  ]
}

export async function insertAlertWebhook(
  client: PoolClient,
  { id, walletId, url, body }: { id: Uuid; walletId: Uuid; url: string; body: string },
): Promise<void> {
  const text = 'INSERT INTO webhook_deliveries (id, wallet_id, url, body) VALUES ($1, $2, $3, $4)'
  await client.query(text, [id, walletId, url, body])
}
