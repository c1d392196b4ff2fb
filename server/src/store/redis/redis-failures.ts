import type { Redis } from 'ioredis'
import type { Failures } from '#ports/shared-counts.ts'
import { giveBackAttemptScript, pressureScript, takeAttemptScript } from './failure-scripts.ts'
import { runScript, type Script } from './run-script.ts'

/** Failures that all processes share. Each subject is a key of its own, so each call stays on one cluster slot. */
export function createRedisFailures({ redis, prefix }: { redis: Redis; prefix: string }): Failures {
  const run = (script: Script, subject: string, values: number[]): Promise<unknown> =>
    runScript(redis, script, [`${prefix}failures:{${subject}}`], values)
  const pressure = async (subject: string, more: 0 | 1, nowMs: number): Promise<number> =>
    readCount(await run(pressureScript, subject, [more, nowMs]))
  return {
    async take(subject, tolerance, nowMs) {
      const reply = await run(takeAttemptScript, subject, [tolerance, nowMs])
      const [allowed, retryAfterMs, pausedUntilMs, earlierUntilMs] = Array.isArray(reply) ? reply.map(readCount) : []
      if (retryAfterMs === undefined || pausedUntilMs === undefined || earlierUntilMs === undefined) {
        throw new Error('the script of attempts answered in an unknown form')
      }
      if (allowed !== 1) return { allowed: false, retryAfterMs }
      return { allowed: true, taken: { pausedUntilMs, earlierUntilMs } }
    },
    async giveBack(subject, { pausedUntilMs, earlierUntilMs }) {
      await run(giveBackAttemptScript, subject, [pausedUntilMs, earlierUntilMs])
    },
    notePressure: (subject, nowMs) => pressure(subject, 1, nowMs),
    readPressure: (subject, nowMs) => pressure(subject, 0, nowMs),
  }
}

function readCount(reply: unknown): number {
  if (typeof reply !== 'number') throw new Error('a script of failures answered in an unknown form')
  return reply
}
