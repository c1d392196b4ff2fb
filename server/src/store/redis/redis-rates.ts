import type { Redis } from 'ioredis'
import { rateRules, type RateVerdict } from '#domain/limits/rate.ts'
import { Batcher } from '#lib/batcher.ts'
import type { Rates, RateSubject } from '#ports/shared-counts.ts'
import { createScript, runScripts, type ScriptCall } from './run-scripts.ts'

interface RedisRatesOptions {
  redis: Redis
  prefix: string
}

/** Rates that all processes share. The wallet is the hash tag of every key, so each call stays on one cluster slot. */
export function createRedisRates({ redis, prefix }: RedisRatesOptions): Rates {
  const clientKey = ({ walletId, clientId }: RateSubject) => `${prefix}rate:{${walletId}}:${clientId}`
  // Many batches may be in flight: a call never waits for the response to another, only for its turn to be written.
  const batcher = new Batcher<ScriptCall, ScriptReply>({
    send: async (calls) => (await runScripts(redis, calls)).map((answer) => ({ answer })),
    batchMax: 200,
    inFlightMax: 1_000,
    queueMax: 20_000,
    refusal: () => new Error('too many rate checks are queued'),
  })
  return {
    admit(subject, limit, nowMs) {
      const values = [subject.class, limit, nowMs]
      const keys = [clientKey(subject)]
      return batcher.add({ script: admitScript, keys, values }).then((reply) => readVerdict(reply, limit))
    },
    read(subject, limit, nowMs) {
      const values = [subject.class, limit, nowMs]
      const keys = [clientKey(subject)]
      return batcher.add({ script: readScript, keys, values }).then((reply) => readVerdict(reply, limit))
    },
    noteUnbilledCancel(subject, keyId, nowMs) {
      const keys = [`${prefix}cancels:{${subject.walletId}}:${keyId}`, clientKey(subject)]
      const values = [subject.class, nowMs]
      return batcher.add({ script: noteCancelScript, keys, values }).then((reply) => void answerOf(reply))
    },
  }
}

interface ScriptReply {
  readonly answer: unknown
}

function answerOf({ answer }: ScriptReply): unknown {
  if (answer instanceof Error) throw answer
  return answer
}

function readVerdict(reply: ScriptReply, limit: number): RateVerdict {
  const [allowed, reason, remaining, resetAtMs, retryAfterMs] = readNumbers(answerOf(reply))
  if (remaining === undefined || resetAtMs === undefined || retryAfterMs === undefined) {
    throw new Error('the admission script returned an unknown format')
  }
  if (allowed === 1) return { allowed: true, limit, remaining, resetAtMs }
  return { allowed: false, reason: reason === 2 ? 'penalty' : 'window', limit, resetAtMs, retryAfterMs }
}

function readNumbers(reply: unknown): number[] {
  return Array.isArray(reply) && reply.every((part) => typeof part === 'number') ? reply : []
}

const { windowMs, penaltyAfterWindows, penaltyMs, penaltyMaxMs, forgetMs, cancelsMax, cancelsWithinMs } = rateRules

/**
 * Lua that both rate scripts share. A client is one hash; each class has its own fields in it: `start`, `count`,
 * `streak`, `over`, `till` and `blocks`, in the order of RateState. `block` is the function of the same name in the
 * rules. `keep` lets the hash live as long as it can matter: to the end of the next window for a streak, and a day past
 * a block for its length. It never shortens a lifetime, since the other class may need it.
 */
const blockFunction = `
local function keep(key, life)
  if redis.call('PTTL', key) < life then
    redis.call('PEXPIRE', key, life + ${windowMs})
  end
end

local function block(key, class, now, till, blocks)
  if now < till then return till end
  if now - till >= ${forgetMs} then blocks = 0 end
  till = now + math.min(${penaltyMs} * 2 ^ blocks, ${penaltyMaxMs})
  redis.call('HSET', key, class .. '.till', till, class .. '.blocks', blocks + 1, class .. '.streak', 0)
  keep(key, ${forgetMs + penaltyMaxMs})
  return till
end
`

/**
 * `judgeRate` in Lua, line by line. KEYS: the client's hash. ARGV: class, limit, now. Returns allowed (1 or 0), reason
 * (0 none, 1 window, 2 penalty), remaining, reset and retry-after in milliseconds.
 */
const admitScript = createScript(`${blockFunction}
local key, class, limit, now = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local held = redis.call('HMGET', key, class .. '.start', class .. '.count', class .. '.streak', class .. '.over',
  class .. '.till', class .. '.blocks')
local heldStart, count, streak = tonumber(held[1] or 0), tonumber(held[2] or 0), tonumber(held[3] or 0)
local over, till, blocks = tonumber(held[4] or -1), tonumber(held[5] or 0), tonumber(held[6] or 0)

if now < till then return { 0, 2, 0, till, till - now } end

local start = now - now % ${windowMs}
if heldStart == start + ${windowMs} then start = heldStart end
local reset = start + ${windowMs}
if heldStart ~= start then count = 0 end
count = count + 1
redis.call('HSET', key, class .. '.start', start, class .. '.count', count)
keep(key, ${2 * windowMs})
if count <= limit then return { 1, 0, limit - count, reset, 0 } end

if over ~= start then
  if over == start - ${windowMs} then streak = streak + 1 else streak = 1 end
  redis.call('HSET', key, class .. '.streak', streak, class .. '.over', start)
  if streak >= ${penaltyAfterWindows} then
    till = block(key, class, now, till, blocks)
    return { 0, 2, 0, till, till - now }
  end
end
return { 0, 1, 0, reset, reset - now }
`)

/** `readRate` in Lua, line by line, with the arguments and the result of `admitScript`. */
const readScript = createScript(`
local key, class, limit, now = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local held = redis.call('HMGET', key, class .. '.start', class .. '.count', class .. '.till')
local heldStart, count, till = tonumber(held[1] or 0), tonumber(held[2] or 0), tonumber(held[3] or 0)

if now < till then return { 0, 2, 0, till, till - now } end

local start = now - now % ${windowMs}
if heldStart == start + ${windowMs} then start = heldStart end
if heldStart ~= start then count = 0 end
return { 1, 0, math.max(0, limit - count), start + ${windowMs}, 0 }
`)

/**
 * `noteCancel` in Lua, followed by `block`. KEYS: the list of the key's recent cancellations, newest first, and the
 * client's hash. ARGV: class, now. Returns 1 if the cancellation blocks the client.
 */
const noteCancelScript = createScript(`${blockFunction}
local cancels, key, class, now = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local count = redis.call('LPUSH', cancels, ARGV[2])
redis.call('PEXPIRE', cancels, ${cancelsWithinMs})
if count < ${cancelsMax} then return 0 end
local oldest = tonumber(redis.call('RPOP', cancels))
if now - oldest >= ${cancelsWithinMs} then return 0 end
redis.call('DEL', cancels)
local held = redis.call('HMGET', key, class .. '.till', class .. '.blocks')
block(key, class, now, tonumber(held[1] or 0), tonumber(held[2] or 0))
return 1
`)
