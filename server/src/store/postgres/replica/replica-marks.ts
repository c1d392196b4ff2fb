/** Up to where the primary had written its log at a moment. */
export interface Mark {
  readonly position: bigint
  readonly atMs: number
}

export interface ReplicaMarks {
  add(mark: Mark): void
  /** The replica has replayed the log up to this position. */
  reach(position: bigint): void
  /** Everything that was committed before this moment is on the replica. Null: it has reached no mark yet. */
  readonly currentToMs: number | null
}

// Ten minutes of marks at one a second, twice the longest lag that can be allowed. A replica further behind counts as older than it is.
const marksMax = 600

/**
 * How far a replica has come. A replica does not know what it has yet to receive, and the clocks of two machines differ. So the primary's
 * position is noted with the moment before the question, by our own clock; a replica that has reached it has all that was committed by then.
 */
export function createReplicaMarks(): ReplicaMarks {
  let marks: Mark[] = []
  let currentToMs: number | null = null
  return {
    add(mark) {
      marks = [...marks.slice(1 - marksMax), mark]
    },
    reach(position) {
      const at = marks.findLastIndex((mark) => mark.position <= position)
      const reached = marks[at]
      if (reached === undefined) return
      currentToMs = reached.atMs
      marks = marks.slice(at + 1)
    },
    get currentToMs() {
      return currentToMs
    },
  }
}
