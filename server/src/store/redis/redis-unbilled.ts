import type { Redis } from 'ioredis'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { Batcher } from '#lib/batcher.ts'
import type { Unbilled } from '#ports/shared-counts.ts'
import { createScript, runScripts, type ScriptCall } from './run-scripts.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/**
 * Adds to four counters and reads six. KEYS: left today, borne today, paid today, under way in the hour of the request; paid yesterday,
 * under way in this hour and in the one before. ARGV: four amounts. Redis counts in integers of 64 bits and answers texts, so no digit is lost.
 */
const addScript = createScript(`
for position, life in ipairs({ ${2 * dayMs}, ${2 * dayMs}, ${3 * dayMs}, ${3 * hourMs} }) do
  if ARGV[position] ~= '0' then
    redis.call('INCRBY', KEYS[position], ARGV[position])
    redis.call('PEXPIRE', KEYS[position], life)
  end
end
return redis.call('MGET', KEYS[1], KEYS[2], KEYS[3], KEYS[5], KEYS[6], KEYS[7])
`)

/** Sums that all processes share. The subject is the hash tag of its keys, so each call stays on one cluster slot. */
export function createRedisUnbilled({ redis, prefix }: { redis: Redis; prefix: string }): Unbilled {
  const batcher = new Batcher<ScriptCall, { answer: unknown }>({
    send: async (calls) => (await runScripts(redis, calls)).map((answer) => ({ answer })),
    batchMax: 200,
    inFlightMax: 1_000,
    queueMax: 20_000,
    refusal: () => new Error('too many sums of unbilled answers are waiting'),
  })
  return {
    async add(subject, { left = 0n, borne = 0n, paid = 0n, underWay = 0n, sinceMs }, nowMs) {
      const key = (name: string): string => `${prefix}unbilled:{${subject}}:${name}`
      const [day, hour] = [Math.floor(nowMs / dayMs), Math.floor(nowMs / hourMs)]
      const keys = [
        key(`left:${day}`),
        key(`borne:${day}`),
        key(`paid:${day}`),
        key(`under-way:${Math.floor((sinceMs ?? nowMs) / hourMs)}`),
        key(`paid:${day - 1}`),
        key(`under-way:${hour}`),
        key(`under-way:${hour - 1}`),
      ]
      const { answer } = await batcher.add({
        script: addScript,
        keys,
        values: [left, borne, paid, underWay].map(String),
      })
      if (answer instanceof Error) throw answer
      const [leftToday, borneToday, paidToday, paidYesterday, thisHour, hourBefore] = readAmounts(answer)
      return {
        left: leftToday ?? nanoUsd(0n),
        borne: borneToday ?? nanoUsd(0n),
        paidToday: paidToday ?? nanoUsd(0n),
        paidYesterday: paidYesterday ?? nanoUsd(0n),
        underWay: nanoUsd(atLeastZero(thisHour) + atLeastZero(hourBefore)),
      }
    },
  }
}

function readAmounts(answer: unknown): NanoUsd[] {
  if (!Array.isArray(answer) || answer.length !== 6)
    throw new Error('the sums of unbilled answers have an unknown form')
  return answer.map((text: unknown) => nanoUsd(typeof text === 'string' ? BigInt(text) : 0n))
}

// An estimate may be given back to a counter that was lost with it.
function atLeastZero(amount = nanoUsd(0n)): bigint {
  return amount < 0n ? 0n : amount
}
