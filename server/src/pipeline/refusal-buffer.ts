import { type Refusal, type RefusalCount, uncountedKey } from '#domain/ledger/refusal.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'

/**
 * `sampled`: counted, but without a row, because the key has enough rows in this minute. `dropped`: counted without a
 * row, because there is no room for more rows. `aggregated`: counted by error alone, because there is no room for
 * another key.
 */
export type BufferOutcome = 'sampled' | 'dropped' | 'aggregated'

export interface RefusalBuffer {
  note(refusal: Refusal): void
  /** Refusals since the last `take`. */
  readonly waiting: number
  /** Empties the buffer. */
  take(): { readonly refusals: readonly Refusal[]; readonly counts: readonly RefusalCount[] }
}

const minuteMs = 60_000
const hourMs = 3_600_000
// Enough to see what happens. A flood with one key must not fill the disk.
const rowsPerMinuteMax = 60
// Rows that wait while Postgres is away: about 2 MB.
const rowsMax = 5_000
const keysMax = 10_000

/** Refused requests in memory: a bounded number of rows, and a bounded number of counters that miss nothing. */
export function createRefusalBuffer(tell: (outcome: BufferOutcome) => void): RefusalBuffer {
  let rows: Refusal[] = []
  let counts = new Map<string, Counter>()
  let waiting = 0
  const mayKeep = limitRows()
  return {
    note: (refusal) => {
      const atMs = uuidTimeMs(refusal.id)
      waiting += 1
      if (!countOne(counts, refusal, Math.floor(atMs / hourMs) * hourMs)) tell('aggregated')
      if (!mayKeep(refusal.keyId, Math.floor(atMs / minuteMs))) tell('sampled')
      else if (rows.length >= rowsMax) tell('dropped')
      else rows.push(refusal)
    },
    get waiting() {
      return waiting
    },
    take: () => {
      const taken = { refusals: rows, counts: [...counts.values()] }
      rows = []
      counts = new Map()
      waiting = 0
      return taken
    },
  }
}

type Counter = { -readonly [Field in keyof RefusalCount]: RefusalCount[Field] }

/** Whether there was room to count the refusal for its key. */
function countOne(counts: Map<string, Counter>, { walletId, keyId, error }: Refusal, hour: number): boolean {
  const ofKey = `${keyId} ${error} ${hour}`
  const known = counts.get(ofKey)
  if (known !== undefined) {
    known.count += 1
    return true
  }
  if (counts.size < keysMax) {
    counts.set(ofKey, { hourMs: hour, walletId, keyId, error, count: 1 })
    return true
  }
  const ofError = `${error} ${hour}`
  const sum = counts.get(ofError) ?? { hourMs: hour, walletId: uncountedKey, keyId: uncountedKey, error, count: 0 }
  sum.count += 1
  counts.set(ofError, sum)
  return false
}

/** Whether a key may have another row in this minute. Requests of a minute may come a little after the next began. */
function limitRows(): (keyId: Uuid, minute: number) => boolean {
  let current = 0
  let rowsOf = new Map<Uuid, number>()
  return (keyId, minute) => {
    if (minute > current) {
      current = minute
      rowsOf = new Map()
    }
    const kept = rowsOf.get(keyId)
    if (kept === undefined ? rowsOf.size >= keysMax : kept >= rowsPerMinuteMax) return false
    rowsOf.set(keyId, (kept ?? 0) + 1)
    return true
  }
}
