import type { Pool } from 'pg'

/** Watches how far ahead the next step of an open job is scheduled. Jobs with failing steps wait on purpose. */
interface DueWatch {
  stop(): Promise<{ longestMs: number }>
}

const text = `SELECT coalesce(max(extract(epoch FROM due_at - clock_timestamp())), 0)::float8 * 1000 AS ahead_ms FROM video_jobs
  WHERE state NOT IN ('completed', 'failed') AND (progress ->> 'failures')::integer = 0`
const everyMs = 250

export function watchDue(pool: Pool): DueWatch {
  let longestMs = 0
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    const { rows } = await pool.query<{ ahead_ms: number }>(text)
    longestMs = Math.max(longestMs, rows[0]?.ahead_ms ?? 0)
  }

  const timer = setInterval(() => {
    looking = looking.then(look)
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
      return { longestMs: Math.round(longestMs) }
    },
  }
}
