import type { Observed } from './observe-call.ts'
import type { ExpectedRecord } from './read-records.ts'
import type { Tokens, UpstreamWords } from './text-plays.ts'

type Json = Readonly<Record<string, unknown>>

/** Everything known about a request without the gateway's stored data. */
export interface Known {
  readonly model: string
  /** Null if no provider served it. */
  readonly provider: string | null
  readonly app: string
  /** The response to the client: its tokens, and its cost in USD; null if it had none. */
  readonly told: { readonly tokens: Tokens | null; readonly costUsd: number } | null
  /** The cost at the catalogue's prices, and the savings by cached tokens, in USD. */
  readonly priced: { readonly costUsd: number; readonly savedUsd: number }
  /** Counts other than tokens. */
  readonly counted?: Json
  readonly observed: Pick<Observed, 'startedAtMs' | 'firstByteAtMs' | 'endedAtMs' | 'generationId'>
  readonly upstream: UpstreamWords & { readonly receivedAtMs: number; readonly waitedUntilMs: readonly number[] }
}

/** The differences between a record and the views of the client and the upstream; empty if there are none. */
export function judgeRecord(expected: ExpectedRecord, known: Known, record: Json): string[] {
  const { upstream } = known
  const isCharged = expected.cost !== 'none'
  const cost = isCharged ? known.priced.costUsd : 0
  const saved = isCharged ? known.priced.savedUsd : 0
  const stated = {
    id: known.observed.generationId,
    model: known.model,
    provider: known.provider,
    provider_name: known.provider,
    app_name: known.app,
    status: expected.status === 'none' ? null : upstream.status,
    finish_reason: expected.finish === 'none' ? null : upstream.finish,
    refund_reason: expected.refundReason,
    streamed: expected.streamed,
    cancelled: expected.cancelled,
    is_byok: expected.isByok,
    is_failover: expected.isFailover,
    total_cost: cost,
    cache_discount: saved,
    cost_breakdown: { subtotal: usd(nano(cost) + nano(saved)), cache_discount: saved, total: cost },
  }
  return [
    ...differences(stated, record),
    ...judgeNativeFinish(expected, upstream, record),
    ...judgeTokens(expected.tokens === 'none' ? noTokens : (upstream.tokens ?? noTokens), cost, record),
    ...judgeTold(expected, known),
    ...judgeTimes(expected, known, record),
    ...judgeReceipt(isCharged, cost, record),
    ...differences(isCharged ? (known.counted ?? {}) : {}, objectIn(objectIn(record, 'usage'), 'media')),
  ]
}

function judgeNativeFinish(expected: ExpectedRecord, { nativeFinish }: UpstreamWords, record: Json): string[] {
  const words = expected.nativeFinish === 'none' ? [null] : nativeFinish
  const found = record['native_finish_reason']
  return words.some((word) => word === found) ? [] : [`native_finish_reason: ${found}, not ${words.join(' or ')}`]
}

const noTokens: Tokens = { prompt: 0, cached: 0, completion: 0, reasoning: 0 }

function judgeTokens({ prompt, cached, completion, reasoning }: Tokens, cost: number, record: Json): string[] {
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    cost,
  }
  const counts = {
    tokens_prompt: prompt,
    tokens_completion: completion,
    native_tokens_prompt: prompt,
    native_tokens_completion: completion,
    native_tokens_reasoning: reasoning,
    native_tokens_cached: cached,
  }
  const kept = objectIn(record, 'usage')
  return [
    ...differences(usage, kept),
    ...differences({ cached_tokens: cached }, objectIn(kept, 'prompt_tokens_details')),
    ...differences({ reasoning_tokens: reasoning }, objectIn(kept, 'completion_tokens_details')),
    ...differences(counts, record),
  ]
}

/** The client received the upstream's counts, at the catalogue's price. */
function judgeTold(expected: ExpectedRecord, { told, upstream, priced }: Known): string[] {
  if (told === null) return expected.cost === 'both' ? ['the client was told nothing'] : []
  const cost = expected.cost === 'none' ? 0 : priced.costUsd
  const counted = expected.tokens === 'none' ? noTokens : (upstream.tokens ?? noTokens)
  const tokens = told.tokens === null ? [] : differences({ ...counted }, { ...told.tokens })
  return [...differences({ cost }, { cost: told.costUsd }), ...tokens].map((difference) => `told: ${difference}`)
}

/** The times are in the order of the events, by the one clock of this machine. */
function judgeTimes(expected: ExpectedRecord, { observed, upstream }: Known, record: Json): string[] {
  const createdAtMs = Date.parse(String(record['created_at']))
  const durationMs = numberIn(record, 'duration_ms')
  const firstTokenMs = record['first_token_ms']
  const order: [string, number, number][] = [
    ['the call, created_at', observed.startedAtMs, createdAtMs],
    ['created_at, the request of the upstream', createdAtMs, upstream.receivedAtMs],
    ['what the upstream did last, the end', upstream.waitedUntilMs.at(-1) ?? createdAtMs, createdAtMs + durationMs],
  ]
  if (expected.cancelled) order.push(['leaving, the end', observed.endedAtMs, createdAtMs + durationMs])
  else order.push(['the end, the last byte read', createdAtMs + durationMs, observed.endedAtMs])
  if (typeof firstTokenMs === 'number') {
    order.push(
      ['the first pause, the first token', upstream.waitedUntilMs[0] ?? createdAtMs, createdAtMs + firstTokenMs],
      ['the first token, the first byte read', createdAtMs + firstTokenMs, observed.firstByteAtMs],
      ['the first token, the end', firstTokenMs, durationMs],
    )
  }
  return [
    ...order
      .filter(([, before, after]) => before > after)
      .map(([what, before, after]) => `${what}: ${before} > ${after}`),
    // Lists and sums use the time in the id: its first 48 bits.
    ...(Number.parseInt(String(record['id']).slice('gen-'.length, 'gen-'.length + 12), 16) === createdAtMs
      ? []
      : [`created_at: ${createdAtMs} is not the time in ${String(record['id'])}`]),
    ...((firstTokenMs === null) === (expected.firstToken === 'none') ? [] : [`first_token_ms: ${firstTokenMs}`]),
    ...differences({ latency: durationMs, generation_time: durationMs - (Number(firstTokenMs) || 0) }, record),
    ...judgeThroughput(record, durationMs),
  ]
}

/** Tokens per second, to a hundredth. */
function judgeThroughput(record: Json, durationMs: number): string[] {
  const rate = durationMs === 0 ? 0 : (numberIn(record, 'tokens_completion') * 1_000) / durationMs
  const found = numberIn(record, 'throughput')
  return Math.abs(found - rate) <= 0.01 ? [] : [`throughput: ${found}, not ${rate}`]
}

/** The lines of a receipt add up to the cost; a free request has none. */
function judgeReceipt(isCharged: boolean, cost: number, record: Json): string[] {
  if (!isCharged) return differences({ receipt: null }, record)
  return differences({ total: cost }, objectIn(record, 'receipt'))
}

/** The list entry has the same data as the record. */
export function judgeListed(record: Json, listed: Json): string[] {
  const { api_key_id: _key, endpoint: _endpoint, usage: _usage, attempt_count: _attempts, ...rest } = listed
  const same = Object.fromEntries(Object.keys(rest).map((name) => [name, record[name]]))
  const usage = objectIn(record, 'usage')
  const short = Object.fromEntries(
    ['prompt_tokens', 'completion_tokens', 'total_tokens', 'cost'].map((name) => [name, usage[name]]),
  )
  const { attempts } = objectIn(record, 'routing')
  const counted = { attempt_count: Array.isArray(attempts) ? attempts.length : null }
  return [...differences({ ...same, ...counted }, listed), ...differences({ usage: short }, listed)].map(
    (one) => `listed: ${one}`,
  )
}

export function differences(expected: Json, found: Json): string[] {
  return Object.entries(expected)
    .filter(([name, value]) => JSON.stringify(found[name]) !== JSON.stringify(value))
    .map(([name, value]) => `${name}: ${JSON.stringify(found[name])}, not ${JSON.stringify(value)}`)
}

export function objectIn(value: Json, name: string): Json {
  const found = value[name]
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {}
}

export function numberIn(value: Json, name: string): number {
  const found = value[name]
  return typeof found === 'number' ? found : Number.NaN
}

/** In billionths, because sums of fractions drift. */
export const nano = (amount: number): number => Math.round(amount * 1e9)
const usd = (amount: number): number => amount / 1e9
