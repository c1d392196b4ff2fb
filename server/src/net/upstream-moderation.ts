import { type HealthRules, judgeHealth } from '#domain/routing/provider-health.ts'
import { judgeFor, noteFailureOf, noteSuccessOf, wellShared } from '#domain/routing/shared-health.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import type { Moderation, ModerationRequest, ModerationVerdict } from '#ports/moderation.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { fetchWhole, type WholeAnswer } from './fetch-whole.ts'

interface UpstreamModerationOptions {
  readonly upstreams: Upstreams
  /** Base URL of an API in OpenAI's form, without `/moderations`. */
  readonly url: string | null
  readonly key: string | null
  readonly model: string
  /** Time limit of the whole response. */
  readonly timeoutMs: number
  readonly health: HealthRules
  readonly nowMs: () => number
}

const answerBytesMax = 1_048_576

/**
 * Asks a moderation service about every text, without retries, because the request waits for it. After several
 * consecutive failures the service is not asked for a while, so that an outage delays only the first few requests.
 * Failures on one payer's texts open the circuit for that payer only: the service still judges others.
 */
export function createUpstreamModeration(options: UpstreamModerationOptions): Moderation {
  const url = options.url
  assert(url !== null, 'start-up refuses a moderation service without an address')
  const { health: rules, nowMs } = options
  const health = wellShared()

  const ask = async ({ texts, payer }: ModerationRequest, places: readonly number[]): Promise<ModerationVerdict> => {
    if (!judgeFor(health, payer, (circuit) => judgeHealth(circuit, rules, nowMs()), nowMs()).usable) {
      throw new Error('the moderation service is skipped after repeated failures')
    }
    const input = places.map((place) => texts[place] ?? '')
    try {
      const { timeoutMs } = options
      const answer = await fetchWhole(options.upstreams, requestFor({ ...options, url }, input), {
        timeoutMs,
        bytesMax: answerBytesMax,
      })
      const results = readResults(answer, input.length)
      noteSuccessOf(health)
      return verdictOf(results, places)
    } catch (error) {
      if (!(error instanceof ObjectionError)) {
        noteFailureOf(health, { payer, concernsRequestOnly: false }, rules, nowMs())
      }
      throw error
    }
  }

  return {
    review(request) {
      const { texts } = request
      const places = Array.from(texts.keys()).filter((index) => texts[index]?.trim() !== '')
      return places.length === 0 ? { allowed: true } : ask(request, places)
    },
  }
}

/** The service works but rejects this request. Other requests may succeed. */
class ObjectionError extends Error {}

function requestFor(
  { url, key, model, timeoutMs }: UpstreamModerationOptions & { readonly url: string },
  input: string[],
): UpstreamRequest {
  const { origin, pathname } = new URL(`${url.replace(/\/+$/, '')}/moderations`)
  return {
    origin,
    path: pathname,
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input }),
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    connectTimeoutMs: timeoutMs,
  }
}

const objections = new Set([400, 413, 422])

// One result per text: with fewer, some text would not have been judged.
function readResults({ status, body }: WholeAnswer, count: number): JsonObject[] {
  if (objections.has(status)) throw new ObjectionError(`the moderation service rejected the request with ${status}`)
  if (status !== 200) throw new Error(`the moderation service returned ${status}`)
  const results = parseJsonObject(body)?.['results']
  const read = Array.isArray(results) ? results.filter(isJsonObject) : []
  if (read.length !== count || !read.every(({ flagged }) => typeof flagged === 'boolean')) {
    throw new Error('the moderation service returned an unreadable response')
  }
  return read
}

function verdictOf(results: readonly JsonObject[], places: readonly number[]): ModerationVerdict {
  const first = results.findIndex(({ flagged }) => flagged === true)
  if (first === -1) return { allowed: true }
  const categories = results
    .filter(({ flagged }) => flagged === true)
    .flatMap((result) => Object.entries(objectAt(result, 'categories')))
    .filter(([, applies]) => applies === true)
    .map(([name]) => name.slice(0, 100))
  return {
    allowed: false,
    source: 'upstream',
    categories: [...new Set(categories)].slice(0, 50),
    place: { text: places[first] ?? 0, start: 0 },
  }
}
