import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerSettings } from '#ports/end-customers.ts'
import { readNullableNano } from '../column-values.ts'

interface SettingsRow {
  day_limit_nano: string | null
  month_limit_nano: string | null
  total_limit_nano: string | null
  markup_basis_points: number
}

const text = `SELECT day_limit_nano, month_limit_nano, total_limit_nano, markup_basis_points FROM customer_settings
  WHERE wallet_id = $1`

export async function readSettings(connection: Pool | PoolClient, walletId: Uuid): Promise<CustomerSettings> {
  const { rows } = await connection.query<SettingsRow>({ name: 'read-customer-settings', text, values: [walletId] })
  return settingsOf(rows[0])
}

function settingsOf(row: SettingsRow | undefined): CustomerSettings {
  return {
    limits: {
      day: readNullableNano(row?.day_limit_nano ?? null),
      month: readNullableNano(row?.month_limit_nano ?? null),
      total: readNullableNano(row?.total_limit_nano ?? null),
    },
    markup: row?.markup_basis_points ?? 0,
  }
}

/** Creates the row if there is none, and locks it. */
export async function lockSettings(client: PoolClient, walletId: Uuid): Promise<CustomerSettings> {
  await client.query('INSERT INTO customer_settings (wallet_id) VALUES ($1) ON CONFLICT DO NOTHING', [walletId])
  const { rows } = await client.query<SettingsRow>(`${text} FOR UPDATE`, [walletId])
  return settingsOf(rows[0])
}

export async function updateSettings(
  client: PoolClient,
  walletId: Uuid,
  { limits, markup }: CustomerSettings,
): Promise<void> {
  await client.query(
    `UPDATE customer_settings SET day_limit_nano = $2, month_limit_nano = $3, total_limit_nano = $4, markup_basis_points = $5
     WHERE wallet_id = $1`,
    [walletId, limits.day, limits.month, limits.total, markup],
  )
}

/** Notes since when a customer, or a wallet for its default, has this markup. */
export async function insertMarkup(
  client: PoolClient,
  { ownerId, markup, nowMs }: { ownerId: Uuid; markup: number | null; nowMs: number },
): Promise<void> {
  await client.query(
    `INSERT INTO customer_markups (owner_id, since, basis_points) VALUES ($1, $2, $3)
     ON CONFLICT (owner_id, since) DO UPDATE SET basis_points = excluded.basis_points`,
    [ownerId, new Date(nowMs), markup],
  )
}
