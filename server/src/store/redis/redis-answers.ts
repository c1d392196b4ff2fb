import type { Redis } from 'ioredis'
import type { AnswerCache } from '#ports/usage.ts'

/** Responses that all processes share. Redis expires them. */
export function createRedisAnswers(options: { redis: Redis; keptMs: number; prefix: string }): AnswerCache {
  const { redis, keptMs, prefix } = options
  const keyOf = (question: string): string => `${prefix}answer:${question}`
  return {
    find: (question) => redis.get(keyOf(question)),
    async keep(question, answer) {
      const isFirst = (await redis.set(keyOf(question), answer, 'PX', keptMs, 'NX')) === 'OK'
      return isFirst ? answer : ((await redis.get(keyOf(question))) ?? answer)
    },
  }
}
