import type { Pool, PoolClient } from 'pg'
import type { FailedWork, JobRepeats, RepeatOutcome } from '#ports/job-repeats.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

/** Repeats failed work by making its row due. The worker that claims the row attempts it like any other. */
export function createJobRepeats(pool: Pool): JobRepeats {
  return {
    repeat: (work, entry, nowMs) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          const outcome = await makeDue(client, work)
          if (outcome === 'repeated') await appendAudit(client, [entry], nowMs)
          return outcome
        }),
      ),
  }
}

interface Row {
  readonly failed: boolean
  readonly open: boolean
}

// Each statement locks the row, so that a worker that just closes it and an operator do not meet. The number of
// attempts stays: a worker that outlasted its claim is recognized by it.
const statements = {
  webhook: {
    find: `SELECT delivered_at IS NULL AND (last_status IS NOT NULL OR last_error IS NOT NULL) AS failed, true AS open
      FROM webhook_deliveries WHERE id = $1 FOR UPDATE`,
    repeat: 'UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE id = $1',
  },
  mail: {
    find: `SELECT sent_at IS NULL AND last_error IS NOT NULL AS failed, due_at IS NOT NULL AS open
      FROM mail_outbox WHERE id = $1 FOR UPDATE`,
    repeat: 'UPDATE mail_outbox SET due_at = clock_timestamp() WHERE id = $1',
  },
  sink: {
    find: 'SELECT failing_since IS NOT NULL AS failed, true AS open FROM event_sinks WHERE name = $1 FOR UPDATE',
    repeat: 'UPDATE event_sinks SET due_at = NULL WHERE name = $1',
  },
} as const

async function makeDue(client: PoolClient, { kind, id }: FailedWork): Promise<RepeatOutcome> {
  const { find, repeat } = statements[kind]
  const row = (await client.query<Row>(find, [id])).rows[0]
  if (row === undefined) return 'not_found'
  if (!row.failed) return 'not_failed'
  if (!row.open) return 'text_deleted'
  await client.query(repeat, [id])
  return 'repeated'
}
