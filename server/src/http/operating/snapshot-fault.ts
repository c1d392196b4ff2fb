import type { Failing } from '#lib/fault-watch.ts'
import { SealError } from '#lib/seal.ts'
import type { SnapshotFact } from './readiness.ts'

/** Why a snapshot is not loaded, as `/ready` reports it; null if it is loaded. */
export function snapshotFault(failing: Failing | null): SnapshotFact['fault'] {
  if (failing === null) return null
  return failing.error instanceof SealError ? 'wrong_secret' : 'load_failed'
}
