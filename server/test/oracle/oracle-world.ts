import { audioModel } from '#test/media/audio/audio-models.ts'
import { embeddingModel } from '#test/media/embeddings/embeddings-world.ts'
import { imageModel } from '#test/media/images/images-world.ts'
import { moderationModel } from '#test/media/moderations/moderation-model.ts'
import { rerankModel } from '#test/media/rerank/rerank-model.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClock } from '#test/setup/clock.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { plainModel } from '#test/videos/video-world.ts'
import { createEveryUpstream, type EveryUpstream } from './every-upstream.ts'
import type { JsonRecord } from './every-call.ts'

/** A gateway with a model for every endpoint, all from one upstream. */
export interface OracleWorld extends MediaWorld {
  /** Makes the upstream succeed again, and clears its requests. */
  recover(): void
  /** The upstream's successful responses. */
  readonly answerWell: MediaHandler
  /** The video orders that the upstream received. */
  readonly orders: EveryUpstream['orders']
}

/**
 * Makers of models, each with one model for every endpoint.
 *
 * - `acme`: the upstream sells them.
 * - `retired`: nobody sells them any more.
 * - `away`: their upstream does not take connections.
 * - `lonely`: no upstream is configured for them.
 * - `priceless`: nobody has said what they cost.
 */
const makers = ['acme', 'retired', 'away', 'lonely', 'priceless'] as const

export async function startOracleWorld(
  environment: Record<string, string> = {},
  clock: Partial<TestClock> = {},
): Promise<OracleWorld> {
  const { handler, orders } = createEveryUpstream(() => world.upstream.url)
  const place = { vendor: 'openai', path: '/v1', pattern: 'acme/*' }
  const world = await startMediaWorld(place, handler, environment, clock)
  // Nothing listens on the discard port.
  await world.addProvider({ vendor: 'openai', name: 'away', url: 'http://127.0.0.1:9/v1', pattern: 'away/*' })
  // OpenAI has no rerank.
  const ranks = { vendor: 'vllm', priority: -1 }
  await world.addProvider({ ...ranks, name: 'ranks', url: `${world.upstream.url}/v1`, pattern: 'acme/ranks' })
  await world.addProvider({ ...ranks, name: 'away-ranks', url: 'http://127.0.0.1:9/v1', pattern: 'away/ranks' })
  // OpenAI's moderations are free.
  const judges = { vendor: 'mistral', priority: -1 }
  await world.addProvider({ ...judges, name: 'judge', url: `${world.upstream.url}/v1`, pattern: 'acme/judge' })
  await world.addProvider({ ...judges, name: 'away-judge', url: 'http://127.0.0.1:9/v1', pattern: 'away/judge' })
  await world.addModels(makers.flatMap(modelsOf))
  return {
    ...world,
    orders,
    answerWell: handler,
    recover: () => {
      world.upstream.play(handler)
      world.upstream.calls.length = 0
    },
  }
}

function modelsOf(maker: (typeof makers)[number]): JsonRecord[] {
  const models = modelsFor((kind) => `${maker}/${kind}`, maker === 'lonely' ? 'together' : 'openai')
  return models.map((model) => ({ ...model, ...differences[maker] }))
}

const differences: Readonly<Partial<Record<(typeof makers)[number], JsonRecord>>> = {
  retired: { status: 'retired', deprecation_date: '2025-06-06' },
  priceless: { pricing: {}, offers: undefined },
}

/** A model for every endpoint, named by its kind. Upstreams know it by the name after the maker. */
export function modelsFor(idOf: (kind: string) => string, provider = 'openai'): JsonRecord[] {
  const film = idOf('film')
  const [author = '', name = ''] = film.split('/')
  return [
    talkModel(idOf('talk'), provider),
    embeddingModel(idOf('vectors'), provider, { inputs: ['text', 'image'] }),
    rerankModel(idOf('ranks'), provider === 'openai' ? 'vllm' : provider),
    imageModel(idOf('picture'), provider),
    audioModel({ id: idOf('voice'), kind: 'speech', provider, pricing: { per_character: '0.000015' } }),
    moderationModel(idOf('judge'), provider === 'together' ? provider : 'mistral', { prompt: '0.000001' }),
    audioModel({ id: idOf('whisper'), kind: 'transcription', provider, pricing: { per_second_input: '0.0001' } }),
    audioModel({ id: idOf('ears'), kind: 'transcription', provider, pricing: { per_second_input: '0.0001' } }),
    { ...plainModel, id: film, author, provider, upstream_model_id: name },
  ]
}

/** A chat model. */
export function talkModel(id: string, provider = 'openai', contextLength = 128_000): JsonRecord {
  return {
    id,
    name: 'Talk',
    kind: 'chat',
    provider,
    upstream_model_id: id.split('/')[1],
    context_length: contextLength,
    max_completion_tokens: null,
    input_modalities: ['text', 'image'],
    output_modalities: ['text'],
    pricing: { prompt: '0.000001', completion: '0.000002' },
    supported_parameters: ['tools', 'max_tokens', 'response_format'],
    status: 'active',
  }
}
