import type { Redis } from 'ioredis'
import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { Batcher } from '#lib/batcher.ts'
import { createScript, runScripts, type ScriptCall } from './run-scripts.ts'
import { subscribeChannel } from './subscribe-channel.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** What one process adds to the sums of a subject in one message. */
export interface SharedChange {
  /** The day that `left`, `borne` and `paid` belong to, and the hour that `underWay` and `atRisk` belong to. */
  readonly day: number
  readonly hour: number
  readonly left: bigint
  readonly borne: bigint
  readonly paid: bigint
  readonly underWay: bigint
  readonly atRisk: bigint
  /** The sender's number of the message, which grows. A message that is sent again is counted once. */
  readonly sequence: number
  /** The hour in which it was numbered. */
  readonly sequenceHour: number
}

/** The sums of all processes. */
export interface SharedUnbilled {
  /** Adds the changes in order and returns the sums at a time. Without changes it only reads. */
  sync(subject: string, changes: readonly SharedChange[], nowMs: number): Promise<UnbilledSums>
}

/**
 * Adds to the sums of one subject and reads them. They are fields of one hash, named by their day or hour; each new
 * hour removes the fields that are no longer read. ARGV: the day and hour to read, the day and hour of the change, five
 * amounts, then the field of the sender's last number and the number (0 to only read), then a channel and a message for
 * the other processes, which is published if the change adds unpaid cost. Redis counts in 64-bit integers and returns
 * strings, so no digit is lost.
 */
const addScript = createScript(`
local key, day, hour, number = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[11])
if number > 0 and tonumber(redis.call('HGET', key, ARGV[10]) or '0') < number then
  -- First, because Redis keeps what a failing script has written: nothing is counted twice.
  redis.call('HSET', key, ARGV[10], number)
  local sums = { 'left:' .. ARGV[3], 'borne:' .. ARGV[3], 'paid:' .. ARGV[3], 'under-way:' .. ARGV[4], 'at-risk:' .. ARGV[4] }
  for position, field in ipairs(sums) do
    local amount = ARGV[4 + position]
    if amount ~= '0' then redis.call('HINCRBY', key, field, amount) end
  end
  redis.call('PEXPIRE', key, ${3 * dayMs})
  if ARGV[5] ~= '0' or ARGV[6] ~= '0' then redis.call('PUBLISH', ARGV[12], ARGV[13]) end
  if redis.call('HGET', key, 'hour') ~= ARGV[2] then
    redis.call('HSET', key, 'hour', ARGV[2])
    for _, field in ipairs(redis.call('HKEYS', key)) do
      local name, time = string.match(field, '^(.*):(%d+)$')
      local isDaily = name == 'left' or name == 'borne' or name == 'paid'
      if time and tonumber(time) < (isDaily and day or hour) - 1 then redis.call('HDEL', key, field) end
    end
  end
end
return redis.call('HMGET', key, 'left:' .. day, 'borne:' .. day, 'paid:' .. day, 'paid:' .. (day - 1),
  'under-way:' .. hour, 'under-way:' .. (hour - 1), 'at-risk:' .. hour, 'at-risk:' .. (hour - 1))
`)

const nothing = {
  day: 0,
  hour: 0,
  left: 0n,
  borne: 0n,
  paid: 0n,
  underWay: 0n,
  atRisk: 0n,
  sequence: 0,
  sequenceHour: 0,
}

export interface RedisUnbilledOptions {
  readonly redis: Redis
  readonly prefix: string
  /** Identifies this process among all that share the sums. */
  readonly sender: string
}

const channelOf = (prefix: string): string => `${prefix}unbilled`

/** What other processes announce. */
export interface UnbilledAnnouncements {
  /** Another number after each interruption. Null while announcements may be lost. */
  readonly period: number | null
}

/** Calls back with each subject to which another process added unpaid cost. It needs a connection that subscribes. */
export function subscribeUnbilled(
  options: RedisUnbilledOptions,
  onAdded: (subject: string) => void,
): UnbilledAnnouncements {
  const { redis, prefix, sender } = options
  let periods = 0
  let period: number | null = null
  subscribeChannel(redis, channelOf(prefix), {
    onMessage: (text) => {
      const [author, subject] = text.split(' ')
      if (author !== sender && subject !== undefined) onAdded(subject)
    },
    onSubscribed: () => {
      periods += 1
      period = periods
    },
  })
  redis.on('close', () => {
    period = null
  })
  return {
    get period() {
      return period
    },
  }
}

export function createRedisUnbilled(options: RedisUnbilledOptions): SharedUnbilled {
  const { redis, prefix, sender } = options
  const batcher = new Batcher<ScriptCall, { answer: unknown }>({
    send: async (calls) => (await runScripts(redis, calls)).map((answer) => ({ answer })),
    batchMax: 200,
    inFlightMax: 1_000,
    queueMax: 20_000,
    refusal: () => new Error('too many unbilled sums are queued'),
  })

  function callOf(subject: string, change: SharedChange, nowMs: number): ScriptCall {
    const hour = Math.floor(nowMs / hourMs)
    const { left, borne, paid, underWay, atRisk } = change
    return {
      script: addScript,
      keys: [`${prefix}unbilled:{${subject}}`],
      values: [
        Math.floor(hour / 24),
        hour,
        change.day,
        change.hour,
        ...[left, borne, paid, underWay, atRisk].map(String),
        `seq-${sender}:${change.sequenceHour}`,
        change.sequence,
        channelOf(prefix),
        `${sender} ${subject}`,
      ],
    }
  }

  return {
    async sync(subject, changes, nowMs) {
      const calls = (changes.length === 0 ? [nothing] : changes).map((change) => callOf(subject, change, nowMs))
      const answers = await Promise.all(calls.map((call) => batcher.add(call)))
      const failed = answers.find(({ answer }) => answer instanceof Error)
      if (failed !== undefined) throw failed.answer
      return sumsOf(answers.at(-1)?.answer)
    },
  }
}

function sumsOf(answer: unknown): UnbilledSums {
  const [left, borne, paidToday, paidYesterday, thisHour, hourBefore, riskNow, riskBefore] = readAmounts(answer)
  return {
    left: left ?? nanoUsd(0n),
    borne: borne ?? nanoUsd(0n),
    paidToday: paidToday ?? nanoUsd(0n),
    paidYesterday: paidYesterday ?? nanoUsd(0n),
    underWay: nanoUsd(atLeastZero(thisHour) + atLeastZero(hourBefore)),
    atRisk: nanoUsd(atLeastZero(riskNow) + atLeastZero(riskBefore)),
  }
}

function readAmounts(answer: unknown): NanoUsd[] {
  if (!Array.isArray(answer) || answer.length !== 8) throw new Error('the unbilled sums have an unknown format')
  return answer.map((text: unknown) => nanoUsd(typeof text === 'string' ? BigInt(text) : 0n))
}

// An estimate may be released although its counter was lost.
function atLeastZero(amount = nanoUsd(0n)): bigint {
  return amount < 0n ? 0n : amount
}
