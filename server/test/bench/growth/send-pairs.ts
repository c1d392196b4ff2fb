import { readFileSync } from 'node:fs'
import type { Pool } from 'pg'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createPools } from '#store/postgres/pools.ts'
import { holdRequest, settleOf } from '../organizations/one-pair.ts'
import type { Payer } from '../organizations/money-load.ts'

export interface Pairs {
  /**
   * Holds and settles this many pairs sequentially; returns the CPU of the Postgres processes per pair, in
   * microseconds.
   */
  send(pairs: number, batch: number): Promise<number>
  close(): Promise<void>
}

const leaseMs = 60_000

/** Opens a gateway's connections for money. Statements run one at a time, so each pool has one Postgres process. */
export function openPairs(url: string, next: () => Payer): Pairs {
  const pools = createPools({ url, poolMax: 1, onError: () => {} })
  return {
    send: async (pairs, batch) => {
      const pids = [await pidOf(pools.holds), await pidOf(pools.settles)]
      const beforeUs = cpuUsOf(pids)
      for (let sent = 0; sent < pairs; sent += batch) await sendBatch(pools, Array.from({ length: batch }, next))
      return (cpuUsOf(pids) - beforeUs) / pairs
    },
    close: () => pools.close(),
  }
}

async function sendBatch(pools: { holds: Pool; settles: Pool }, payers: readonly Payer[]): Promise<void> {
  const requests = payers.map(holdRequest)
  const verdicts = await placeHolds(pools.holds, requests, { leaseMs, isRetry: false })
  if (verdicts.some(({ allowed }) => !allowed)) throw new Error('a hold was refused')
  await settleGenerations(
    pools.settles,
    payers.map((payer, position) => settleOf(payer, requests[position]?.id ?? '')),
  )
}

async function pidOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}

/** Linux counts the run time of each process in nanoseconds. */
function cpuUsOf(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000,
    0,
  )
}
