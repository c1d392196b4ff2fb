import type { Pool } from 'pg'
import type { FaultWatch } from '#lib/fault-watch.ts'
import type { UsageReads } from '#ports/usage.ts'
import { createReplicaPools } from '../pools.ts'
import { watchReplica } from '../replica/watch-replica.ts'
import { createPostgresUsage } from './postgres-usage.ts'

export interface ReplicaUsage {
  readonly reads: UsageReads
  /** Maximum age of the replica's data. Empty if there is no replica or the age is not known yet. */
  lagSeconds(): readonly number[]
  close(): Promise<void>
}

interface ReplicaUsageOptions {
  /** Null if there is no replica. */
  readonly url: string | null
  readonly lagMaxMs: number
  readonly connectTimeoutMs: number
  readonly primary: { readonly general: Pool; readonly sums: Pool }
  /** Monotonic clock. */
  readonly nowMs: () => number
  /** Reports that the replica cannot answer. */
  readonly fault: Pick<FaultWatch, 'failed' | 'succeeded'>
  readonly onRead: (server: 'primary' | 'replica') => void
  readonly onError: (error: Error) => void
}

/** Usage sums from a replica within the allowed lag. The primary answers queries that the replica cannot answer. */
export function createReplicaUsage({ url, primary, onRead, ...options }: ReplicaUsageOptions): ReplicaUsage {
  const fromPrimary = createPostgresUsage(primary.sums)
  const askPrimary: UsageReads['sum'] = (query) => {
    onRead('primary')
    return fromPrimary.sum(query)
  }
  if (url === null) return { reads: { sum: askPrimary }, lagSeconds: () => [], close: async () => {} }
  const pools = createReplicaPools({ url, connectTimeoutMs: options.connectTimeoutMs, onError: options.onError })
  const watched = watchReplica({ ...options, primary: primary.general, replica: pools.probe })
  const fromReplica = createPostgresUsage(pools.sums)
  return {
    reads: {
      async sum(query) {
        if (!watched.isFresh()) return askPrimary(query)
        // A replica also cancels statements that conflict with its replay. The primary never does.
        const rows = await fromReplica.sum(query).catch(() => null)
        if (rows === null) return askPrimary(query)
        onRead('replica')
        return rows
      },
    },
    lagSeconds: () => {
      const lagMs = watched.lagMs()
      return lagMs === null ? [] : [lagMs / 1_000]
    },
    close: async () => {
      watched.stop()
      await pools.close()
    },
  }
}
