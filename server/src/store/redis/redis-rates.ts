import type { Redis } from 'ioredis'
import type { RateVerdict } from '#domain/limits/rate.ts'
import { BatchLane } from '#lib/batch-lane.ts'
import type { Rates, RateSubject } from '#ports/shared-counts.ts'
import { admitScript } from './admit-script.ts'
import { noteCancelScript } from './note-cancel-script.ts'
import { runScripts, type ScriptCall } from './run-scripts.ts'

export interface RedisRatesOptions {
  redis: Redis
  prefix: string
}

/** Rates that all processes share. The wallet is the hash tag of every key, so each call stays on one cluster slot. */
export function createRedisRates({ redis, prefix }: RedisRatesOptions): Rates {
  const callerKey = ({ walletId, callerId }: RateSubject) => `${prefix}rate:{${walletId}}:${callerId}`
  // Many batches may be under way: a call never waits for the answer to another, only for its own turn to be written.
  const lane = new BatchLane<ScriptCall, { answer: unknown }>({
    send: async (calls) => (await runScripts(redis, calls)).map((answer) => ({ answer })),
    batchMax: 200,
    inFlightMax: 1_000,
    queueMax: 20_000,
    refusal: () => new Error('too many rate checks are waiting'),
  })
  async function call(script: ScriptCall): Promise<unknown> {
    const { answer } = await lane.add(script)
    if (answer instanceof Error) throw answer
    return answer
  }
  return {
    async admit(subject, limit, nowMs) {
      const values = [subject.class, limit, nowMs]
      return readVerdict(await call({ script: admitScript, keys: [callerKey(subject)], values }), limit)
    },
    async noteUnbilledCancel(subject, keyId, nowMs) {
      const keys = [`${prefix}cancels:{${subject.walletId}}:${keyId}`, callerKey(subject)]
      await call({ script: noteCancelScript, keys, values: [subject.class, nowMs] })
    },
  }
}

function readVerdict(reply: unknown, limit: number): RateVerdict {
  const [allowed, reason, remaining, resetAtMs, retryAfterMs] = readNumbers(reply)
  if (remaining === undefined || resetAtMs === undefined || retryAfterMs === undefined) {
    throw new Error('the admit script answered in an unknown form')
  }
  if (allowed === 1) return { allowed: true, limit, remaining, resetAtMs }
  return { allowed: false, reason: reason === 2 ? 'penalty' : 'window', limit, resetAtMs, retryAfterMs }
}

function readNumbers(reply: unknown): number[] {
  return Array.isArray(reply) && reply.every((part) => typeof part === 'number') ? reply : []
}
