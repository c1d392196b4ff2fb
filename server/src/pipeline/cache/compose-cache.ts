import type { CacheTerms } from '#domain/cache/cache-wish.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log-fault.ts'
import { shareByName } from '#lib/share-by-name.ts'
import type { CachedAnswers, CacheEntry, CacheKey } from '#ports/cached-answers.ts'
import { createAnswerLeases } from '../answer-leases.ts'
import { Filling } from './filling.ts'
import { type CacheOutcome, type CacheStage, createLookUp } from './look-up.ts'
import { recentMs, RecentAnswers } from './recent-answers.ts'

export interface CachePorts {
  readonly cachedAnswers: CachedAnswers
  readonly metrics: { readonly cacheRequests: { inc(labels: { outcome: CacheOutcome }): void } }
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
}

export interface CacheSettings extends CacheTerms {
  readonly answerBytesMax: number
  readonly walletBytesMax: number
  readonly hitPricePercent: number
  readonly leaseMs: number
  readonly joinMs: number
}

/** Looks up kept answers, and keeps the answers of requests that use the cache. */
export function composeCache(
  { cachedAnswers: answers, metrics, log, nowMs, wait }: CachePorts,
  settings: CacheSettings,
): { readonly cache: CacheStage; close(): void } {
  const onError = logFault(log, 'the response cache is unavailable', { level: 'warn', overAfterMs: 60_000 }).failed
  const leases = createAnswerLeases(answers, { everyMs: settings.leaseMs / 4, onError })
  const recent = new RecentAnswers(nowMs)
  const sweeping = setInterval(() => recent.dropOld(), recentMs).unref()
  const { answerBytesMax, walletBytesMax, hitPricePercent, joinMs } = settings
  const cache = createLookUp({
    answers,
    recent,
    findShared: shareFinds(answers, nowMs),
    fill: (slot, ttlMs) => {
      leases.keep(slot.id)
      const onEnd = (): void => leases.release(slot.id)
      return new Filling({ answers, slot, ttlMs, answerBytesMax, walletBytesMax, onError, onEnd })
    },
    terms: settings,
    hitPricePercent,
    joinMs,
    count: (outcome) => metrics.cacheRequests.inc({ outcome }),
    onError,
    nowMs,
    wait,
  })
  return {
    cache,
    close: () => {
      leases.stop()
      clearInterval(sweeping)
    },
  }
}

// All requests of this process that wait for one answer cause at most twenty reads per second.
const sharedMs = 50

function shareFinds(
  answers: Pick<CachedAnswers, 'find'>,
  nowMs: () => number,
): (key: CacheKey, maxAgeMs: number) => Promise<CacheEntry | null> {
  const share = shareByName<CacheEntry | null>({ forMs: sharedMs, nowMs })
  return (key, maxAgeMs) =>
    share(`${key.walletId} ${maxAgeMs} ${key.digest.toString('base64')}`, () => answers.find(key, maxAgeMs))
}
