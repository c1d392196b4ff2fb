/** The primary's log position at a time. */
export interface Checkpoint {
  readonly position: bigint
  readonly atMs: number
}

interface ReplicaCheckpoints {
  add(checkpoint: Checkpoint): void
  /** The replica has replayed the log up to this position. */
  reach(position: bigint): void
  /** Everything committed before this time is on the replica. Null if it has not reached a checkpoint yet. */
  readonly currentToMs: number | null
}

// Ten minutes of checkpoints at one per second, twice the maximum allowed lag. A replica further behind counts as older
// than it is.
const checkpointsMax = 600

/**
 * Tracks how far a replica has replayed the log. A replica does not know what it has yet to receive, and the clocks of
 * two machines differ. So the primary's position is recorded with the time before the query, by our own clock. A
 * replica that has reached that position has everything committed by then.
 */
export function createReplicaCheckpoints(): ReplicaCheckpoints {
  let checkpoints: Checkpoint[] = []
  let currentToMs: number | null = null
  return {
    add(checkpoint) {
      checkpoints = [...checkpoints.slice(1 - checkpointsMax), checkpoint]
    },
    reach(position) {
      const at = checkpoints.findLastIndex((checkpoint) => checkpoint.position <= position)
      const reached = checkpoints[at]
      if (reached === undefined) return
      currentToMs = reached.atMs
      checkpoints = checkpoints.slice(at + 1)
    },
    get currentToMs() {
      return currentToMs
    },
  }
}
