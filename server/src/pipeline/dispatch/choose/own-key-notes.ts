import type { Uuid } from '#lib/uuid.ts'
import type { NoteOwnKeys, OwnKeyNote } from '#ports/own-keys.ts'

/**
 * How calls with organizations' own keys go, written down beside the calls and never in their way. Failures are
 * gathered for a moment; a success is written when it ends a row of failures, and otherwise once in a while.
 */
export interface OwnKeyNotes {
  succeeded(id: Uuid): void
  failed(id: Uuid, error: string): void
  /** Writes what is left. */
  close(): Promise<void>
}

interface OwnKeyNotesOptions {
  readonly write: NoteOwnKeys
  readonly everyMs: number
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

const successEveryMs = 60_000
// More keys than this are not used by one process within a minute; beyond it only failures are kept.
const rememberedMax = 50_000

export function createOwnKeyNotes({ write, everyMs, nowMs, onError }: OwnKeyNotesOptions): OwnKeyNotes {
  const waiting = new Map<Uuid, OwnKeyNote>()
  /** When a success was last noted, for keys whose last call succeeded. */
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
      // The next success is news again.
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
