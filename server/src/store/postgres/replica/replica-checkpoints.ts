/** Up to where the primary had written its log at a moment. */
export interface Checkpoint {
  readonly position: bigint
  readonly atMs: number
}

interface ReplicaCheckpoints {
  add(checkpoint: Checkpoint): void
  /** The replica has replayed the log up to this position. */
  reach(position: bigint): void
  /** Everything that was committed before this moment is on the replica. Null: it has reached no checkpoint yet. */
  readonly currentToMs: number | null
}

// Ten minutes of checkpoints at one a second, twice the longest lag that can be allowed. A replica further behind
// counts as older than it is.
const checkpointsMax = 600

/**
 * How far a replica has come. A replica does not know what it has yet to receive, and the clocks of two machines
 * differ. So the primary's position is noted with the moment before the question, by our own clock; a replica that has
 * reached it has all that was committed by then.
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
