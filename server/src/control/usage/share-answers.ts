import { hash } from 'node:crypto'
import type { AnswerCache } from '#ports/usage.ts'

/** The answer to a question, made only if no process has it yet. The question says all that the answer depends on. */
export type ShareAnswers = (question: object, nowMs: number, make: () => Promise<string>) => Promise<string>

/**
 * `shared` is what all processes know; it may know nothing for a while, and then each process goes by its `own`. A
 * request that comes in this process while an answer is being made waits for that one.
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
