import type { Redis } from 'ioredis'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { Batcher } from '#lib/batcher.ts'
import type { Unbilled } from '#ports/shared-counts.ts'
import { createScript, runScripts, type ScriptCall } from './run-scripts.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/**
 * Adds to the sums of one subject and reads them. They are fields of one hash, named by their day or hour; each new
 * hour removes the fields that are no longer read. ARGV: the day, the hour, the hour in which the request began, and
 * five amounts. Redis counts in 64-bit integers and returns strings, so no digit is lost.
 */
const addScript = createScript(`
local key, day, hour = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local sums = { 'left:' .. day, 'borne:' .. day, 'paid:' .. day, 'under-way:' .. ARGV[3], 'at-risk:' .. ARGV[3] }
local hasChanged = false
for position, field in ipairs(sums) do
  local amount = ARGV[3 + position]
  if amount ~= '0' then
    redis.call('HINCRBY', key, field, amount)
    hasChanged = true
  end
end
if hasChanged then
  redis.call('PEXPIRE', key, ${3 * dayMs})
  if redis.call('HGET', key, 'hour') ~= ARGV[2] then
    redis.call('HSET', key, 'hour', ARGV[2])
    for _, field in ipairs(redis.call('HKEYS', key)) do
      local name, number = string.match(field, '^(.*):(%d+)$')
      local isHourly = name == 'under-way' or name == 'at-risk'
      local oldest = isHourly and hour - 1 or day - 1
      if number and tonumber(number) < oldest then redis.call('HDEL', key, field) end
    end
  end
end
return redis.call('HMGET', key, sums[1], sums[2], sums[3], 'paid:' .. (day - 1), 'under-way:' .. hour, 'under-way:' .. (hour - 1),
  'at-risk:' .. hour, 'at-risk:' .. (hour - 1))
`)

/** Sums that all processes share. */
export function createRedisUnbilled({ redis, prefix }: { redis: Redis; prefix: string }): Unbilled {
  const batcher = new Batcher<ScriptCall, { answer: unknown }>({
    send: async (calls) => (await runScripts(redis, calls)).map((answer) => ({ answer })),
    batchMax: 200,
    inFlightMax: 1_000,
    queueMax: 20_000,
    refusal: () => new Error('too many unbilled sums are queued'),
  })
  return {
    async add(subject, { left = 0n, borne = 0n, paid = 0n, underWay = 0n, atRisk = 0n, sinceMs }, nowMs) {
      const hour = Math.floor(nowMs / hourMs)
      const began = Math.floor((sinceMs ?? nowMs) / hourMs)
      const { answer } = await batcher.add({
        script: addScript,
        keys: [`${prefix}unbilled:{${subject}}`],
        values: [Math.floor(hour / 24), hour, began, ...[left, borne, paid, underWay, atRisk].map(String)],
      })
      if (answer instanceof Error) throw answer
      const [leftToday, borneToday, paidToday, paidYesterday, thisHour, hourBefore, riskNow, riskBefore] =
        readAmounts(answer)
      return {
        left: leftToday ?? nanoUsd(0n),
        borne: borneToday ?? nanoUsd(0n),
        paidToday: paidToday ?? nanoUsd(0n),
        paidYesterday: paidYesterday ?? nanoUsd(0n),
        underWay: nanoUsd(atLeastZero(thisHour) + atLeastZero(hourBefore)),
        atRisk: nanoUsd(atLeastZero(riskNow) + atLeastZero(riskBefore)),
      }
    },
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
