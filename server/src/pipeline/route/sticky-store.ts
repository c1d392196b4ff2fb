import { setBounded } from '#lib/set-bounded.ts'

/**
 * The account that last answered a conversation. Its next turn goes there first, because the upstream's prompt cache is
 * warm. After ten minutes the cache is cold and the entry expires.
 */
export interface StickyStore {
  find(conversation: string): string | null
  /** `conversation` is null if only one upstream could answer, so there is nothing to remember. */
  note(conversation: string | null, accountId: string): void
  readonly size: number
}

const keptMs = 600_000
const entriesMax = 50_000

export function createStickyStore(nowMs: () => number): StickyStore {
  const entries = new Map<string, { accountId: string; untilMs: number }>()
  return {
    find(conversation) {
      const entry = entries.get(conversation)
      if (entry === undefined) return null
      if (nowMs() < entry.untilMs) return entry.accountId
      entries.delete(conversation)
      return null
    },
    note(conversation, accountId) {
      if (conversation === null) return
      setBounded(entries, conversation, { accountId, untilMs: nowMs() + keptMs }, entriesMax)
    },
    get size() {
      return entries.size
    },
  }
}
