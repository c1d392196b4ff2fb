import type { Model } from '#domain/catalogue/model.ts'
import type { PriceUnit } from '#domain/money/price-list.ts'
import { freeTestPrice } from './test-price.ts'

type Made = Pick<Model, 'kind' | 'description' | 'outputModalities'> & Partial<Model> & { readonly unit: PriceUnit }

/** Test models with non-text output, by id. */
export const mediaTestModels: ReadonlyMap<string, Model> = new Map(
  Object.entries({
    image: {
      kind: 'image',
      unit: 'per_image_output',
      description: 'Makes a PNG image whose colours follow from the prompt.',
      outputModalities: ['image'],
      inputModalities: ['text', 'image'],
    },
    embedding: {
      kind: 'embedding',
      unit: 'prompt',
      description: 'Embeds the words of a text: texts that share words get similar vectors.',
      outputModalities: ['embeddings'],
      contextLength: 8_192,
    },
    rerank: {
      kind: 'rerank',
      unit: 'prompt',
      description: 'Ranks documents by the words that they share with the query.',
      outputModalities: ['rerank'],
      contextLength: 8_192,
    },
    moderation: {
      kind: 'moderation',
      unit: 'prompt',
      description: 'Flags the categories whose names a text contains, such as violence.',
      outputModalities: ['moderation'],
      inputModalities: ['text', 'image'],
    },
    speech: {
      kind: 'speech',
      unit: 'per_character',
      description: 'Makes a tone for each word, as WAV or PCM.',
      outputModalities: ['speech'],
      details: { supported_voices: ['tone'], default_voice: 'tone' },
    },
    transcription: {
      kind: 'transcription',
      unit: 'per_second_input',
      description: 'Returns the prompt of the request, or a fixed paragraph, regardless of the recording.',
      outputModalities: ['transcription'],
      inputModalities: ['audio'],
    },
    video: {
      kind: 'video',
      unit: 'per_second_output',
      description: 'Returns a four-second video in 320x180, whatever resolution the request asks for.',
      outputModalities: ['video'],
      details: {
        video: {
          supported_durations: [4],
          supported_resolutions: ['180p', '480p', '720p', '1080p'],
          supported_sizes: ['320x180'],
        },
      },
    },
  } satisfies Record<string, Made>).map(([name, made]) => [`test/${name}`, entry(`test/${name}`, made)]),
)

function entry(id: string, { unit, ...made }: Made): Model {
  const price = freeTestPrice(unit)
  const limits = { contextLength: made.contextLength ?? null, maxCompletionTokens: null }
  return {
    id,
    name: `Test: ${id.slice('test/'.length)}`,
    author: 'test',
    ...limits,
    inputModalities: ['text'],
    supportedParameters: null,
    defaultProvider: 'test',
    upstreamModel: id,
    aliases: [],
    releasedAtMs: null,
    retiresAtMs: null,
    listed: true,
    details: {},
    price,
    offers: [{ provider: 'test', variant: '', upstreamModel: id, ...limits, quantization: null, price }],
    ...made,
  }
}
