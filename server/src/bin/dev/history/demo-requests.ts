import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { assert } from '#lib/assert.ts'
import { createChance } from './chance.ts'

/** A past request of the demo, before pricing. */
export interface DemoRequest {
  readonly startedAtMs: number
  /** Index of the demo key. */
  readonly key: number
  readonly endpoint: string
  readonly model: string
  readonly appName: string | null
  readonly usage: Usage
  readonly firstTokenMs: number | null
  readonly durationMs: number
  readonly streamed: boolean
  /** The first provider failed, and the second one served the request. */
  readonly isFailover: boolean
  readonly refundReason: RefundReason | null
}

const dayMs = 86_400_000
const daysBack = 30

interface Habit {
  readonly model: string
  readonly endpoint: string
  readonly key: number
  readonly appName: string | null
  /** Percentage of requests. */
  readonly share: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Percentage of prompt tokens read from the cache. */
  readonly cached?: number
}

const habits: readonly Habit[] = [
  {
    model: 'openai/gpt-5.2',
    endpoint: 'chat',
    key: 0,
    appName: 'Support desk',
    share: 30,
    promptTokens: 2_400,
    completionTokens: 380,
    cached: 60,
  },
  {
    model: 'anthropic/claude-sonnet-4.6',
    endpoint: 'messages',
    key: 1,
    appName: 'Code review',
    share: 18,
    promptTokens: 5_200,
    completionTokens: 700,
    cached: 45,
  },
  {
    model: 'openai/gpt-4o-mini',
    endpoint: 'chat',
    key: 0,
    appName: 'Support desk',
    share: 24,
    promptTokens: 900,
    completionTokens: 160,
  },
  {
    model: 'deepseek/deepseek-v3.2',
    endpoint: 'responses',
    key: 2,
    appName: 'Nightly summaries',
    share: 14,
    promptTokens: 6_500,
    completionTokens: 900,
  },
  {
    model: 'google/gemini-3-pro',
    endpoint: 'chat',
    key: 3,
    appName: null,
    share: 6,
    promptTokens: 1_800,
    completionTokens: 620,
  },
  {
    model: 'openai/text-embedding-3-small',
    endpoint: 'embeddings',
    key: 2,
    appName: 'Nightly summaries',
    share: 8,
    promptTokens: 3_000,
    completionTokens: 0,
  },
]

/**
 * A month of requests up to `nowMs`, oldest first: more during the day and on weekdays, growing from week to week. The
 * same seed gives the same month.
 */
export function demoRequests(seed: number, nowMs: number): DemoRequest[] {
  const chance = createChance(seed)
  const today = Math.floor(nowMs / dayMs) * dayMs
  const requests: DemoRequest[] = []
  for (let back = daysBack; back >= 0; back -= 1) {
    const day = today - back * dayMs
    const weekday = new Date(day).getUTCDay()
    const usual = (weekday === 0 || weekday === 6 ? 14 : 38) + (daysBack - back) / 2
    const count = Math.round(usual * chance.between(0.8, 1.2))
    for (let at = 0; at < count; at += 1) requests.push(requestOn(day, chance))
  }
  return requests.filter(({ startedAtMs }) => startedAtMs < nowMs - 60_000).toSorted(byStart)
}

function byStart(one: DemoRequest, other: DemoRequest): number {
  return one.startedAtMs - other.startedAtMs
}

type Chance = ReturnType<typeof createChance>

function requestOn(day: number, chance: Chance): DemoRequest {
  const habit = habitFor(chance.between(0, 100))
  const refundReason = refundFor(chance.between(0, 100))
  const streamed = habit.endpoint !== 'embeddings' && chance.between(0, 1) < 0.7
  const hour = (habit.key === 2 ? 1 : 7) + chance.between(0, 6) + chance.between(0, habit.key === 2 ? 1 : 6)
  const firstTokenMs = Math.round(chance.between(180, 900))
  return {
    startedAtMs: Math.floor(day + hour * 3_600_000),
    key: habit.key,
    endpoint: habit.endpoint,
    model: habit.model,
    appName: habit.appName,
    usage: refundReason === null ? usageOf(habit, chance) : noUsage,
    firstTokenMs: streamed ? firstTokenMs : null,
    durationMs: firstTokenMs + Math.round(habit.completionTokens * chance.between(6, 14)),
    streamed,
    isFailover: refundReason === null && chance.between(0, 100) < 3,
    refundReason,
  }
}

function habitFor(place: number): Habit {
  let below = 0
  const found = habits.find(({ share }) => {
    below += share
    return place < below
  })
  assert(found !== undefined, 'the shares of all habits make a hundred')
  return found
}

/** Of a hundred requests two fail, one is cut off, and one is cancelled by its client. */
function refundFor(place: number): RefundReason | null {
  if (place < 2) return 'upstream_failed'
  if (place < 3) return 'stream_interrupted'
  return place < 4 ? 'client_cancelled' : null
}

function usageOf({ promptTokens, completionTokens, cached = 0 }: Habit, chance: Chance): Usage {
  const prompt = Math.round(promptTokens * chance.between(0.3, 1.9))
  const cacheRead = Math.floor((prompt * cached * chance.between(0, 1.4)) / 140)
  return {
    ...noUsage,
    uncachedInput: prompt - cacheRead,
    cacheRead,
    textOutput: Math.round(completionTokens * chance.between(0.4, 1.8)),
  }
}
