import type { PoolClient } from 'pg'
import type { BrakeState } from '#domain/limits/brake.ts'

const text = `WITH changed AS (
    UPDATE brake SET engaged = $1, retry_after_s = coalesce($2, retry_after_s), reason = $3, changed_at = now() RETURNING only_row
  )
  UPDATE revisions SET revision = revision + 1 FROM changed WHERE topic = 'brake'`

export async function setBrake(client: PoolClient, state: BrakeState): Promise<void> {
  const values = state.engaged ? [true, state.retryAfterS, state.reason] : [false, null, null]
  await client.query(text, values)
}
