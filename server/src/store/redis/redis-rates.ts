import type { Redis } from 'ioredis'
import type { RateVerdict } from '#domain/limits/rate.ts'
import type { RateSubject, Rates } from '#ports/rates.ts'
import { admitScript } from './admit-script.ts'
import { noteCancelScript } from './note-cancel-script.ts'
import { runScript } from './run-script.ts'

export interface RedisRatesOptions {
  redis: Redis
  keyPrefix?: string
}

/** Rates that all processes share. The wallet is the hash tag of every key, so each call stays on one cluster slot. */
export function createRedisRates({ redis, keyPrefix = 'weir:' }: RedisRatesOptions): Rates {
  const callerKey = ({ walletId, callerId }: RateSubject) => `${keyPrefix}rate:{${walletId}}:${callerId}`
  return {
    async admit(subject, limit, nowMs) {
      const reply = await runScript(redis, admitScript, [callerKey(subject)], [subject.class, limit, nowMs])
      return readVerdict(reply, limit)
    },
    async noteUnbilledCancel(subject, keyId, nowMs) {
      const cancelsKey = `${keyPrefix}cancels:{${subject.walletId}}:${keyId}`
      await runScript(redis, noteCancelScript, [cancelsKey, callerKey(subject)], [subject.class, nowMs])
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
