import { purposeOf } from '#dialects/purpose-of.ts'
import { type CacheTerms, readCacheWish } from '#domain/cache/cache-wish.ts'
import type { Principal } from '#domain/access/principal.ts'
import { malformed } from '#errors/malformed.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CachedAnswers, CacheEntry, CacheKey, CacheSlot } from '#ports/cached-answers.ts'
import type { Arrival, CacheFilling, Plan } from '../types.ts'
import { cacheDigest } from './cache-digest.ts'
import { planHit } from './plan-hit.ts'
import { isServer, KeptAnswer } from './kept-answer.ts'
import type { RecentAnswers } from './recent-answers.ts'

/** A request before its hold, with or without an answer from the cache. */
interface Looked {
  readonly arrival: Arrival
  readonly plan: Plan
  readonly replyHeaders: Readonly<Record<string, string>>
}

/** Called only for requests that use the cache, by their body, key or organization. */
export type CacheStage = (input: Looked & { readonly principal: Principal }) => Promise<Looked>

export type CacheOutcome = 'hit' | 'joined' | 'miss' | 'bypassed' | 'failed'

export interface LookUpDeps {
  readonly answers: CachedAnswers
  readonly recent: Pick<RecentAnswers, 'find' | 'keep' | 'drop'>
  /** Reads an entry for all requests of this process that wait for it. */
  readonly findShared: (key: CacheKey, maxAgeMs: number) => Promise<CacheEntry | null>
  readonly fill: (slot: CacheSlot, ttlMs: number) => CacheFilling
  readonly terms: CacheTerms
  readonly hitPricePercent: number
  readonly joinMs: number
  readonly count: (outcome: CacheOutcome) => void
  readonly onError: (error: unknown) => void
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
}

type Input = Parameters<CacheStage>[0]

/**
 * Finds the kept answer of an identical request. Without one, the first request calls the upstream and fills the cache,
 * and identical requests wait for its answer. If the cache is unavailable, the request goes to the upstream.
 */
export function createLookUp(deps: LookUpDeps): CacheStage {
  return async (input) => {
    const { arrival, principal } = input
    const ttlSeconds = readCacheWish(arrival.body.cache, principal.cacheTtlSeconds, deps.terms)
    if (ttlSeconds === null) return input
    if (!isForCache(input)) {
      if (arrival.dialect.family === 'media' && arrival.body.cache !== undefined) throw notForMedia()
      return passBy(deps, input, 'bypassed')
    }
    const key = { walletId: principal.walletId, digest: cacheDigest(arrival, principal, input.plan) }
    try {
      return await lookUp(deps, { input, key, ttlMs: ttlSeconds * 1_000 })
    } catch (error) {
      deps.onError(error)
      return passBy(deps, input, 'failed')
    }
  }
}

/** Embeddings, or text with one choice: several choices may end in different ways, and other media are not kept. */
function isForCache({ arrival, plan }: Input): boolean {
  const { call, candidates } = plan
  if (call.media !== undefined) return call.media.task.kind === 'embedding'
  if (call.choiceCount !== 1) return false
  return candidates.every(({ model }) => purposeOf(call, model, arrival.wantsEvents) === 'text')
}

// Short beside the time that an upstream takes to answer.
const pollMs = 50

// An upstream that fails again and again must not make identical requests fail one after another.
const joinsMax = 2

async function lookUp(deps: LookUpDeps, wanted: { input: Input; key: CacheKey; ttlMs: number }): Promise<Looked> {
  const { answers } = deps
  const { input, key, ttlMs } = wanted
  const { arrival, principal } = input
  const untilMs = deps.nowMs() + deps.joinMs
  const joined = new Set<Uuid>()
  const recent = deps.recent.find(key, ttlMs)
  const again = recent === null ? null : hitWith(deps, input, recent)
  if (again !== null) return again
  let readAtMs = deps.nowMs()
  let entry = await answers.find(key, ttlMs)
  for (;;) {
    if (entry?.state === 'unfit') return passBy(deps, input, 'bypassed')
    if (entry?.state === 'complete') {
      const kept = deps.recent.find(key, ttlMs) ?? (await read(deps, entry, readAtMs))
      const hit = kept === null ? null : hitWith(deps, input, kept, joined.size > 0 ? 'joined' : 'hit')
      if (hit !== null) return hit
      deps.recent.drop(key)
      await answers.forget(entry)
      entry = null
    }
    if (entry === null) {
      const slot = await answers.claim(key, { id: arrival.generationId, userId: principal.userId, maxAgeMs: ttlMs })
      if (slot !== null) {
        const passed = passBy(deps, input, 'miss')
        return { ...passed, arrival: { ...arrival, filling: deps.fill(slot, ttlMs) } }
      }
    } else joined.add(entry.id)
    if (arrival.connection.gone || joined.size > joinsMax || deps.nowMs() >= untilMs)
      return passBy(deps, input, 'bypassed')
    await deps.wait(pollMs)
    readAtMs = deps.nowMs()
    entry = await deps.findShared(key, ttlMs)
  }
}

/** Null if the bytes are gone or can no longer be decrypted. */
async function read({ answers, recent }: LookUpDeps, entry: CacheEntry, readAtMs: number): Promise<KeptAnswer | null> {
  const bytes = await answers.read(entry)
  if (bytes === null) return null
  const kept = new KeptAnswer(entry.id, bytes)
  recent.keep(entry, kept, readAtMs)
  return kept
}

/** Null if the candidate that answered is not a candidate of this request, or the answer exceeds its maximum cost. */
function hitWith(
  { hitPricePercent: percent, count }: LookUpDeps,
  { arrival, plan, replyHeaders }: Input,
  kept: KeptAnswer,
  outcome: 'hit' | 'joined' = 'hit',
): Looked | null {
  const { facts } = kept
  const candidate = plan.candidates.find((each) => isServer(each, facts.server))
  const planned = candidate === undefined ? null : planHit(plan, { candidate, facts, percent })
  if (planned === null) return null
  count(outcome)
  const { generationId, receivedAtMs } = arrival
  return {
    arrival: { ...arrival, cached: kept.for({ generationId, createdS: Math.floor(receivedAtMs / 1_000) }) },
    plan: planned,
    replyHeaders: { ...replyHeaders, 'x-weir-cache': 'hit' },
  }
}

function passBy(
  { count }: LookUpDeps,
  { arrival, plan, replyHeaders }: Input,
  outcome: 'miss' | 'bypassed' | 'failed',
): Looked {
  count(outcome)
  const told = outcome === 'miss' ? 'miss' : 'bypass'
  return { arrival, plan, replyHeaders: { ...replyHeaders, 'x-weir-cache': told } }
}

function notForMedia(): Error {
  return malformed(
    '`cache` works only for chat completions, responses, messages and embeddings. Remove it from this request.',
  )
}
