import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import type { ServerProcess } from './server-process.ts'

interface TeamWrites {
  stop(): Promise<void>
  /** The last confirmed name, or a later one, is stored. */
  judge(pool: Pool): Promise<void>
}

/** A client that renames a team repeatedly, each time in a transaction of several statements. */
export function startTeamWrites(
  gateways: readonly ServerProcess[],
  team: { organizationId: string; teamId: string; key: string },
): TeamWrites {
  const stopping = new AbortController()
  let sent = 0
  let acknowledged = 0
  const odd: string[] = []

  async function write(url: string): Promise<void> {
    sent += 1
    const number = sent
    const response = await fetch(`${url}/v1/orgs/${team.organizationId}/teams/${team.teamId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: nameOf(number) }),
    })
    const text = await response.text()
    if (response.status === 200) acknowledged = number
    else if (response.status !== 503) odd.push(`${response.status} ${text}`)
  }

  const writing = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) await write(gateways[turn % gateways.length]?.url ?? '')
  })()
  return {
    stop: async () => {
      stopping.abort()
      await writing
    },
    judge: async (pool) => {
      assert.deepEqual(odd, [], 'writes are done or refused with 503')
      assert.ok(acknowledged > 0, 'writes were done')
      const { rows } = await pool.query<{ name: string }>('SELECT name FROM teams WHERE id = $1', [team.teamId])
      const stored = Number(/\d+$/.exec(rows[0]?.name ?? '')?.[0])
      assert.ok(stored >= acknowledged && stored <= sent, `${stored} is stored, ${acknowledged} was acknowledged`)
    },
  }
}

function nameOf(number: number): string {
  return `Team ${number}`
}
