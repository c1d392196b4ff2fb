import { hash } from 'node:crypto'
import type { AnswerCache } from '#ports/usage.ts'

/**
 * Returns the cached response to a query, and computes it only if no process has it yet. The query contains everything
 * that the response depends on.
 */
export type ShareAnswers = (question: object, nowMs: number, make: () => Promise<string>) => Promise<string>

/**
 * `shared` is the cache of all processes; while it is unavailable, each process uses its `own`. A request that arrives
 * while the same response is being computed waits for it.
 */
export function createShareAnswers({ shared, own }: { shared: AnswerCache; own: AnswerCache }): ShareAnswers {
  const beingMade = new Map<string, Promise<string>>()

  async function findOrMake(question: string, nowMs: number, make: () => Promise<string>): Promise<string> {
    const found = (await shared.find(question, nowMs)) ?? (await own.find(question, nowMs))
    if (found !== null) return found
    const kept = await shared.keep(question, await make(), nowMs)
    await own.keep(question, kept, nowMs)
    return kept
  }

  return (question, nowMs, make) => {
    const name = hash('sha256', JSON.stringify(question))
    const sooner = beingMade.get(name)
    if (sooner !== undefined) return sooner
    const answer = findOrMake(name, nowMs, make).finally(() => beingMade.delete(name))
    beingMade.set(name, answer)
    return answer
  }
}
