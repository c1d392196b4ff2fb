import type { Pool } from 'pg'

/** Watches how long open jobs go without anybody taking a step of them. Those whose steps fail wait on purpose. */
export interface StandstillWatch {
  stop(): Promise<{ longestMs: number }>
}

const text = `SELECT id, claim, state FROM video_jobs
  WHERE state NOT IN ('completed', 'failed') AND (progress ->> 'failures')::integer = 0`
const everyMs = 250

export function watchStandstill(pool: Pool): StandstillWatch {
  let since = new Map<string, { claim: string; state: string; sinceMs: number }>()
  let longestMs = 0
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    const { rows } = await pool.query<{ id: string; claim: string; state: string }>(text)
    const nowMs = Date.now()
    const next: typeof since = new Map()
    for (const { id, claim, state } of rows) {
      const known = since.get(id)
      const isSame = known?.claim === claim && known.state === state
      const sinceMs = isSame ? known.sinceMs : nowMs
      longestMs = Math.max(longestMs, nowMs - sinceMs)
      next.set(id, { claim, state, sinceMs })
    }
    since = next
  }

  const timer = setInterval(() => {
    looking = looking.then(look)
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
      return { longestMs }
    },
  }
}
