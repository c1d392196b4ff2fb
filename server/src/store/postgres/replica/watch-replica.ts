import type { Pool } from 'pg'
import type { FaultWatch } from '#lib/fault-watch.ts'
import { repeatAlone } from '#lib/repeat-alone.ts'
import { createReplicaCheckpoints, type Checkpoint } from './replica-checkpoints.ts'

interface WatchedReplica {
  /** Maximum age of the replica's data. Null if not known yet. */
  lagMs(): number | null
  /** Whether the replica answered the last query and is within the limit now. */
  isFresh(): boolean
  stop(): void
}

interface WatchOptions {
  readonly primary: Pool
  /** A separate connection, so that slow pages do not make the replica look unavailable. */
  readonly replica: Pool
  readonly lagMaxMs: number
  /** Monotonic clock. */
  readonly nowMs: () => number
  readonly fault: Pick<FaultWatch, 'failed' | 'succeeded'>
}

// Well below the shortest limit, because the age of the last answer counts as lag.
const askEveryMs = 500

/** Polls the replica's position. Between two answers its lag grows with the clock, so the limit holds at any time. */
export function watchReplica({ primary, replica, lagMaxMs, nowMs, fault }: WatchOptions): WatchedReplica {
  const checkpoints = createReplicaCheckpoints()
  const startedMs = nowMs()
  let isThere = false
  const lagMs = (): number | null => (checkpoints.currentToMs === null ? null : nowMs() - checkpoints.currentToMs)
  const isFresh = (): boolean => isThere && (lagMs() ?? Number.POSITIVE_INFINITY) <= lagMaxMs

  async function ask(): Promise<void> {
    // While the primary is unavailable nothing new is committed, and its failure is logged elsewhere.
    const origin = await readCheckpoint(primary, nowMs).catch(() => null)
    if (origin === null) return
    checkpoints.add(origin)
    try {
      checkpoints.reach(await readPosition(replica, origin))
      isThere = true
    } catch (error) {
      isThere = false
      fault.failed(error)
      return
    }
    // The first positions may need a moment to arrive, which is not a fault.
    const behindMs = nowMs() - (checkpoints.currentToMs ?? startedMs)
    if (isFresh()) fault.succeeded()
    else if (behindMs > lagMaxMs) {
      fault.failed(new Error(`the replica is ${Math.round(behindMs)} ms behind; the limit is ${lagMaxMs} ms`))
    }
  }

  const repeating = repeatAlone({ everyMs: askEveryMs, run: ask, onError: fault.failed })
  return { lagMs, isFresh, stop: repeating.stop }
}

/** A database cluster by its number, and one database in it. A standby has the same values. */
interface Origin {
  readonly system: string
  readonly database: string
}

async function readCheckpoint(primary: Pool, nowMs: () => number): Promise<Checkpoint & Origin> {
  const atMs = nowMs()
  const { rows } = await primary.query<Origin & { position: string }>({
    name: 'read-primary-position',
    text: `SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text AS position, system_identifier::text AS system,
                  current_database()::text AS database
             FROM pg_control_system()`,
  })
  const [row] = rows
  if (row === undefined) throw new Error('the primary does not report its WAL position')
  return { ...row, position: BigInt(row.position), atMs }
}

async function readPosition(replica: Pool, { system, database }: Origin): Promise<bigint> {
  const { rows } = await replica.query<Origin & { is_standby: boolean; position: string | null }>({
    name: 'read-replica-position',
    text: `SELECT pg_is_in_recovery() AS is_standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS position,
                  system_identifier::text AS system, current_database()::text AS database
             FROM pg_control_system()`,
  })
  const [row] = rows
  if (row === undefined || row.system !== system)
    throw new Error('postgres.replicaUrl points to another database cluster')
  if (row.database !== database)
    throw new Error(`postgres.replicaUrl points to the database ${row.database}, but postgres.url to ${database}`)
  if (!row.is_standby || row.position === null)
    throw new Error('postgres.replicaUrl points to a server that is not a standby')
  return BigInt(row.position)
}
