import type { PoolClient } from 'pg'
import type { SettledEvent } from '#domain/events/settled-event.ts'
import {
  type AttributedColumns,
  attributedGenerationOfRow,
  customerOf,
  tagsOf,
} from '../generations/generation-columns.ts'

const text = `SELECT id, wallet_id, organization_id, member_id, team_id, user_id, key_id, app_name, endpoint, model,
    provider, attempts->-1->>'account' AS account, upstream_model, upstream_status, finish_reason, streamed, cancelled, is_byok, is_failover, started_at,
    first_token_ms, duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input, text_output,
    reasoning_output, image_output, audio_output, media, cost_nano, cache_discount_nano, refund_reason, settled_at, end_user,
    ${customerOf('generations')}, ${tagsOf('generations')}
  FROM generations WHERE settled_position >= $1 AND settled_position < $2 ORDER BY settled_position, id`

/** All events between these positions, in the order in which they became visible. */
export async function readEvents(
  client: PoolClient,
  { from, below }: { from: string; below: string },
): Promise<SettledEvent[]> {
  const { rows } = await client.query<Row>({ name: 'read-events', text, values: [from, below] })
  return rows.map(eventOf)
}

interface Row extends AttributedColumns {
  account: string | null
  settled_at: Date
  end_user: string | null
  customer: string | null
  tags: Record<string, string> | null
}

function eventOf(row: Row): SettledEvent {
  const { account, customer, tags, end_user: endUser } = row
  return { ...attributedGenerationOfRow(row), account, customer, tags, endUser, settledAtMs: row.settled_at.getTime() }
}
