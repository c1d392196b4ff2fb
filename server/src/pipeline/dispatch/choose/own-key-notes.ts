import type { Uuid } from '#lib/uuid.ts'
import type { NoteOwnKeys, OwnKeyNote } from '#ports/own-keys.ts'

/**
 * Records how requests with organizations' own keys end, without delaying them. Failures are batched for a moment. A
 * success is written when it ends a series of failures, and otherwise occasionally.
 */
export interface OwnKeyNotes {
  succeeded(id: Uuid): void
  failed(id: Uuid, error: string): void
  /** Writes the remaining notes. */
  close(): Promise<void>
}

interface OwnKeyNotesOptions {
  readonly write: NoteOwnKeys
  readonly everyMs: number
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

const successEveryMs = 60_000
// One process does not use more keys than this within a minute. Beyond this number only failures are recorded.
const rememberedMax = 50_000

export function createOwnKeyNotes({ write, everyMs, nowMs, onError }: OwnKeyNotesOptions): OwnKeyNotes {
  const waiting = new Map<Uuid, OwnKeyNote>()
  /** When a success was last recorded, for keys whose last request succeeded. */
  const well = new Map<Uuid, number>()

  async function flush(): Promise<void> {
    if (waiting.size === 0) return
    const notes = [...waiting.values()]
    waiting.clear()
    await write(notes).catch(onError)
  }

  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()
  return {
    succeeded(id) {
      const notedAtMs = well.get(id)
      if (notedAtMs !== undefined && nowMs() - notedAtMs < successEveryMs) return
      if (well.size >= rememberedMax) well.clear()
      well.set(id, nowMs())
      waiting.set(id, { id, hadSuccess: true, failures: 0, lastError: null })
    },
    failed(id, lastError) {
      // The next success must be reported again.
      well.delete(id)
      const { hadSuccess = false, failures = 0 } = waiting.get(id) ?? {}
      waiting.set(id, { id, hadSuccess, failures: failures + 1, lastError })
    },
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
