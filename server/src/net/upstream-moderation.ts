import { type HealthRules, healthy, judgeHealth, noteFailure, noteSuccess } from '#domain/routing/provider-health.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import type { Moderation, ModerationVerdict } from '#ports/moderation.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { fetchWhole, type WholeAnswer } from './fetch-whole.ts'

export interface UpstreamModerationOptions {
  readonly upstreams: Upstreams
  /** Of an API in OpenAI's form, up to and without `/moderations`. */
  readonly url: string | null
  readonly key: string | null
  readonly model: string
  /** For the whole of an answer. */
  readonly timeoutMs: number
  readonly health: HealthRules
  readonly nowMs: () => number
}

const answerBytesMax = 1_048_576

/**
 * Asks a moderation service about every text. It is asked once: a prompt waits for it. After some failures in a row it is
 * left alone for a while, so that a dead service costs the first few requests its time and not every one.
 */
export function createUpstreamModeration(options: UpstreamModerationOptions): Moderation {
  const url = options.url
  assert(url !== null, 'start-up refuses a moderation service without an address')
  const circuit = healthy()

  const ask = async (texts: readonly string[], places: readonly number[]): Promise<ModerationVerdict> => {
    if (!judgeHealth(circuit, options.health, options.nowMs()).usable) {
      throw new Error('the moderation service is left alone after failures')
    }
    const input = places.map((place) => texts[place] ?? '')
    try {
      const { timeoutMs } = options
      const answer = await fetchWhole(options.upstreams, requestFor({ ...options, url }, input), {
        timeoutMs,
        bytesMax: answerBytesMax,
      })
      const results = readResults(answer, input.length)
      noteSuccess(circuit)
      return verdictOf(results, places)
    } catch (error) {
      if (!(error instanceof ObjectionError)) noteFailure(circuit, options.health, options.nowMs())
      throw error
    }
  }

  return {
    review({ texts }) {
      const places = Array.from(texts.keys()).filter((index) => texts[index]?.trim() !== '')
      return places.length === 0 ? { allowed: true } : ask(texts, places)
    },
  }
}

/** The service works, but does not take this request; others may fare better. */
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

// One result for each text: with fewer, something would have gone unjudged.
function readResults({ status, body }: WholeAnswer, count: number): JsonObject[] {
  if (objections.has(status)) throw new ObjectionError(`the moderation service refused the request with ${status}`)
  if (status !== 200) throw new Error(`the moderation service answered ${status}`)
  const results = parseJsonObject(body)?.['results']
  const read = Array.isArray(results) ? results.filter(isJsonObject) : []
  if (read.length !== count || !read.every(({ flagged }) => typeof flagged === 'boolean')) {
    throw new Error('the moderation service answered something that cannot be read')
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
