import type { PoolClient } from 'pg'
import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { LayerKind, LayerOwner } from '#domain/access/layer-owner.ts'
import { type BreakerColumns, readSettings } from './breaker-columns.ts'

const columns = 'breaker_enabled, breaker_minute_nano, breaker_hour_nano'
const texts = {
  organization: `SELECT ${columns} FROM organizations WHERE id = $1 AND id = $2 FOR NO KEY UPDATE`,
  team: `SELECT ${columns} FROM teams WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE`,
  member: `SELECT ${columns} FROM members WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE`,
} as const satisfies Record<LayerKind, string>

/** The settings as they are, which nobody else can change before the transaction ends. Null: no such owner. */
export async function lockBreaker(client: PoolClient, owner: LayerOwner): Promise<BreakerSettings | null> {
  const { rows } = await client.query<BreakerColumns>(texts[owner.kind], [owner.id, owner.organizationId])
  const [row] = rows
  return row === undefined ? null : readSettings(row)
}
