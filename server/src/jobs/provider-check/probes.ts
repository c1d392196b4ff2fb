import type { DialectCall, MediaDialect } from '#dialects/dialect.ts'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { imagesDialect } from '#dialects/images/images-dialect.ts'
import { moderationsDialect } from '#dialects/moderations/moderations-dialect.ts'
import { rerankDialect } from '#dialects/rerank/rerank-dialect.ts'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import { transcriptionsDialect } from '#dialects/transcriptions/transcriptions-dialect.ts'
import { videosDialect } from '#dialects/videos/videos-dialect.ts'
import { servedTierOf, type ServiceTier } from '#domain/inference/service-tier.ts'
import { promptTokensOf, type Usage } from '#domain/inference/usage.ts'
import { defaultVoiceOf } from '#domain/media/speech.ts'
import { type PricedKind, pricesSearches } from '#domain/money/price-list.ts'
import { tierAskedOf } from '#domain/money/tier-prices.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { searchesFor } from '#pipeline/hold-for.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import type { Answered } from './answered.ts'
import type { Capability } from './capabilities.ts'
import { cacheCall, chatCall, searchCall, thinkingFields, tierCall, toolFields } from './conversation-calls.ts'
import { type Asked, converse } from './converse.ts'
import { makeMedia } from './make-media.ts'
import { firstTurn, largestSecondTurn, returnThoughts } from './second-turn.ts'
import { silence } from './silence.ts'

/** The smallest requests that show whether a provider supports a capability. */
interface Probe {
  readonly kind: PricedKind
  /** Runs only if it is requested by name, because it costs more than a few cents. */
  readonly isDear?: true
  /** Whether the offer has this capability. */
  readonly suits: (candidate: Candidate) => boolean
  /** The probe's requests, each at its maximum size. */
  readonly calls: (candidate: Candidate) => readonly DialectCall[]
  readonly begin: (candidate: Candidate) => ExchangeScript<Answered>
}

const every = (): boolean => true

export const probes: Readonly<Record<Capability, Probe>> = {
  document: { kind: 'text', suits: every, ...talk({}) },
  stream: { kind: 'text', suits: every, ...talk({ stream: true }) },
  tools: { kind: 'text', suits: takes('tools'), ...talk(toolFields) },
  sampling: { kind: 'text', suits: takes('temperature'), ...talk({ temperature: 0.5, top_p: 0.9, seed: 7 }) },
  thinking: { kind: 'text', suits: takes('reasoning'), ...talk(thinkingFields) },
  thoughts: {
    kind: 'text',
    suits: (candidate) => takes('reasoning')(candidate) && takes('tools')(candidate),
    calls: (candidate) => [firstTurn(candidate).call, largestSecondTurn(candidate).call],
    begin: returnThoughts,
  },
  cache: {
    kind: 'text',
    suits: ({ price }) => price.base.cache_read !== undefined,
    calls: (candidate) => [cacheCall(candidate).call, cacheCall(candidate).call],
    begin: readCache,
  },
  flex: tier('flex'),
  priority: tier('priority'),
  search: {
    kind: 'text',
    suits: (candidate) =>
      pricesSearches(candidate.price) && searchesFor(searchCall(candidate).call, candidate).webSearches > 0,
    ...asking(searchCall, ({ media }) => `searches charged: ${media?.webSearches ?? 0}`),
  },
  embedding: { kind: 'embedding', suits: every, ...make(embeddingsDialect, { input: 'weir' }) },
  rerank: { kind: 'rerank', suits: every, ...make(rerankDialect, { query: 'weir', documents: ['weir'] }) },
  moderation: { kind: 'moderation', suits: every, ...make(moderationsDialect, { input: 'weir' }) },
  image: { kind: 'image', suits: every, ...make(imagesDialect, { prompt: 'A white square', n: 1, quality: 'low' }) },
  speech: { kind: 'speech', suits: every, ...make(speechDialect, { input: 'Hi' }) },
  transcription: { kind: 'transcription', suits: every, ...make(transcriptionsDialect, {}) },
  video: { kind: 'video', isDear: true, suits: every, ...make(videosDialect, { prompt: 'A white square' }) },
}

function takes(parameter: string): Probe['suits'] {
  return ({ model: { supportedParameters } }) => supportedParameters?.includes(parameter) === true
}

type Calls = Pick<Probe, 'calls' | 'begin'>

function talk(fields: JsonObject): Calls {
  return asking((candidate) => chatCall(candidate, fields))
}

/** One request; `noteOf` describes its usage. */
function asking(askedOf: (candidate: Candidate) => Asked, noteOf?: (usage: Usage) => string): Calls {
  return {
    calls: (candidate) => [askedOf(candidate).call],
    *begin(candidate) {
      const { reply: _, ...answered } = yield* converse(candidate, askedOf(candidate))
      return noteOf === undefined || answered.usage === null ? answered : { ...answered, note: noteOf(answered.usage) }
    },
  }
}

function tier(name: ServiceTier): Probe {
  return {
    kind: 'text',
    suits: (candidate) => tierAskedOf(tierCall(candidate, name).call.body, candidate) === name,
    ...asking(
      (candidate) => tierCall(candidate, name),
      (usage) => (servedTierOf(usage) === name ? `served as ${name}` : 'served and charged in the standard tier'),
    ),
  }
}

/** The same prompt twice: the second request should read the first prompt from the cache. */
function* readCache(candidate: Candidate): ExchangeScript<Answered> {
  const { reply: _, ...first } = yield* converse(candidate, cacheCall(candidate))
  const { reply: _again, ...second } = yield* converse(candidate, cacheCall(candidate))
  const { usage } = second
  const note = usage === null ? 'the provider reported no usage' : cachedNote(usage)
  return { ...second, earlier: [first], note }
}

function cachedNote(usage: Usage): string {
  const share = `${usage.cacheRead} of ${promptTokensOf(usage)} prompt tokens`
  return usage.cacheRead === 0
    ? `the second call read ${share} from the cache; repeat the check`
    : `the second call read ${share} from the cache`
}

function make(dialect: MediaDialect, fields: JsonObject): Calls {
  const callOf = ({ model }: Candidate): DialectCall => {
    const voice = dialect.name === 'speech' ? { voice: defaultVoiceOf(model.details) ?? 'alloy' } : {}
    return dialect.parse({ model: model.id, ...fields, ...voice }, dialect.name === 'transcriptions' ? [silence] : [])
  }
  return {
    calls: (candidate) => [callOf(candidate)],
    begin: (candidate) => {
      const { media } = callOf(candidate)
      assert(media !== undefined, `${dialect.name} makes media`)
      return makeMedia(candidate, (media.fitTo?.(candidate.model) ?? media).task)
    },
  }
}
