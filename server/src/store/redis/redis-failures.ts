import type { Redis } from 'ioredis'
import { failureRules } from '#domain/limits/failures.ts'
import type { Failures } from '#ports/shared-counts.ts'
import { createScript, runScript, type Script } from './run-scripts.ts'

/** Failures that all processes share. Each subject has its own key, so each call stays on one cluster slot. */
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
        throw new Error('the attempts script returned an unknown format')
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
  if (typeof reply !== 'number') throw new Error('a failures script returned an unknown format')
  return reply
}

const { windowMs, pressureWindowMs, pauseMs, pauseMaxMs, forgetMs } = failureRules

/**
 * `takeAttempt` in Lua, line by line. KEYS: the subject's hash. ARGV: tolerance, now. Returns allowed (1 or 0),
 * milliseconds to wait, the end of the pause that began (or 0), and the end of the previous pause.
 */
const takeAttemptScript = createScript(`
local key, tolerance, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local held = redis.call('HMGET', key, 'start', 'count', 'till', 'pauses')
local start, count = tonumber(held[1] or 0), tonumber(held[2] or 0)
local till, pauses = tonumber(held[3] or 0), tonumber(held[4] or 0)
if now < till then return { 0, till - now, 0, till } end
local earlier = till
if now - start >= ${windowMs} then start, count = now, 0 end
count = count + 1
redis.call('HSET', key, 'start', start, 'count', count)
redis.call('PEXPIRE', key, ${forgetMs + pauseMaxMs})
if count < tolerance then return { 1, 0, 0, earlier } end
if now - till >= ${forgetMs} then pauses = 0 end
till = now + math.min(${pauseMs} * 2 ^ pauses, ${pauseMaxMs})
redis.call('HSET', key, 'till', till, 'pauses', pauses + 1)
return { 1, 0, till, earlier }
`)

/**
 * `giveBackAttempt` in Lua. KEYS: the subject's hash. ARGV: the end of the pause that the attempt began, and the
 * previous one.
 */
const giveBackAttemptScript = createScript(`
local key, began, earlier = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local held = redis.call('HMGET', key, 'count', 'till', 'pauses')
if not held[1] then return 0 end
redis.call('HSET', key, 'count', math.max(0, tonumber(held[1]) - 1))
if began == 0 or tonumber(held[2] or 0) ~= began then return 0 end
redis.call('HSET', key, 'till', earlier, 'pauses', tonumber(held[3]) - 1)
return 1
`)

/**
 * Adds to the pressure on a subject. KEYS: its hash. ARGV: number of failures (0 to read), now. Returns the failures in
 * the window.
 */
const pressureScript = createScript(`
local key, more, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local held = redis.call('HMGET', key, 'start', 'count')
local start, count = tonumber(held[1] or 0), tonumber(held[2] or 0)
if now - start >= ${pressureWindowMs} then start, count = now, 0 end
if more == 0 then return count end
redis.call('HSET', key, 'start', start, 'count', count + more)
redis.call('PEXPIRE', key, ${pressureWindowMs})
return count + more
`)
