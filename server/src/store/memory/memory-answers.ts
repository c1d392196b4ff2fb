import type { AnswerCache } from '#ports/usage.ts'

interface Kept {
  readonly answer: string
  readonly untilMs: number
}

interface MemoryAnswersOptions {
  readonly keptMs: number
  readonly maxEntries?: number
  /** Total length of all responses, in UTF-16 units: some have a few hundred, some a million. */
  readonly maxLength?: number
}

/** Responses stored in this process, used while Redis is unavailable. The oldest are evicted first. */
export function createMemoryAnswers(options: MemoryAnswersOptions): AnswerCache {
  const { keptMs, maxEntries = 500, maxLength = 8_000_000 } = options
  const entries = new Map<string, Kept>()
  let length = 0

  function forget(question: string): void {
    length -= entries.get(question)?.answer.length ?? 0
    entries.delete(question)
  }

  function findFresh(question: string, nowMs: number): string | null {
    const kept = entries.get(question)
    return kept !== undefined && nowMs < kept.untilMs ? kept.answer : null
  }

  return {
    find: async (question, nowMs) => findFresh(question, nowMs),
    async keep(question, answer, nowMs) {
      const first = findFresh(question, nowMs)
      if (first !== null) return first
      forget(question)
      entries.set(question, { answer, untilMs: nowMs + keptMs })
      length += answer.length
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && length <= maxLength) break
        forget(oldest)
      }
      return answer
    },
  }
}
