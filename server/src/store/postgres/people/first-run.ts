import type { Pool } from 'pg'
import type { FirstRun } from '#ports/people.ts'
import { refuseWhenAway } from '../faults.ts'
import { withClient } from '../with-client.ts'

const lock = 7_351_002_120

/** The state before the first account exists. */
export function createFirstRun(pool: Pool): FirstRun {
  return {
    isDue: () => refuseWhenAway(isDue(pool)),
    once: (work) =>
      withClient(pool, async (client) => {
        await client.query('SELECT pg_advisory_lock($1)', [lock])
        try {
          return (await isDue(pool)) ? await work() : null
        } finally {
          await client.query('SELECT pg_advisory_unlock($1)', [lock])
        }
      }),
  }
}

async function isDue(pool: Pool): Promise<boolean> {
  const text = 'SELECT NOT EXISTS (SELECT 1 FROM users) AND NOT EXISTS (SELECT 1 FROM auth_users) AS due'
  const { rows } = await pool.query<{ due: boolean }>({ name: 'is-first-run', text })
  return rows[0]?.due === true
}
