import type { PoolClient } from 'pg'
import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { LayerKind, LayerOwner } from '#domain/access/layer-owner.ts'

const assignments = 'breaker_enabled = $2, breaker_minute_nano = $3, breaker_hour_nano = $4, updated_at = now()'
const texts = {
  organization: `UPDATE organizations SET ${assignments} WHERE id = $1`,
  team: `UPDATE teams SET ${assignments} WHERE id = $1`,
  member: `UPDATE members SET ${assignments} WHERE id = $1`,
} as const satisfies Record<LayerKind, string>

export async function updateBreaker(client: PoolClient, owner: LayerOwner, settings: BreakerSettings): Promise<void> {
  await client.query(texts[owner.kind], [owner.id, settings.enabled, settings.minute, settings.hour])
}
