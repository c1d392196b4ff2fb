import type { PriceList } from '#domain/money/price-list.ts'
import type { JsonObject } from '#lib/json.ts'

/** What the output can be; the vocabulary of the listing's filter. */
export const outputModalities = [
  'text',
  'image',
  'embeddings',
  'audio',
  'video',
  'rerank',
  'speech',
  'transcription',
] as const
export type OutputModality = (typeof outputModalities)[number]

export const modelKinds = [
  'chat',
  'image',
  'video',
  'embedding',
  'speech',
  'transcription',
  'rerank',
  'realtime',
] as const
export type ModelKind = (typeof modelKinds)[number]

/** An interface through which a host sells some of its models, beside the one it is usually asked by. */
export const upstreamApis = ['responses'] as const
export type UpstreamApi = (typeof upstreamApis)[number]

/** One host's way of serving a model. */
export interface Offer {
  readonly provider: string
  /** Region or service tier, where one host sells several; empty otherwise. */
  readonly variant: string
  readonly upstreamModel: string
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly quantization: string | null
  /** The interface through which alone the host sells it; absent where it is the usual one. */
  readonly api?: UpstreamApi
  readonly price: PriceList | null
}

export interface Model {
  /** `author/name`, lower case, perhaps with a suffix such as `:free`. */
  readonly id: string
  readonly name: string
  readonly author: string
  readonly kind: ModelKind
  readonly description: string | null
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly inputModalities: readonly string[]
  readonly outputModalities: readonly OutputModality[]
  readonly supportedParameters: readonly string[] | null
  /** Whose price the listing shows. */
  readonly defaultProvider: string | null
  readonly upstreamModel: string | null
  readonly aliases: readonly string[]
  readonly releasedAtMs: number | null
  readonly retiresAtMs: number | null
  /** False: known, but not shown in listings. */
  readonly listed: boolean
  readonly details: JsonObject
  /** The listing's price: the default provider's, else the model's own. Null is not priced, never free. */
  readonly price: PriceList | null
  readonly offers: readonly Offer[]
}

/** `:free` entries cost nothing within their quota and are never charged. */
export function isFreeEntry(model: Pick<Model, 'id'>): boolean {
  return model.id.endsWith(':free')
}

/** Fields such as `logit_bias` are only sent to models of this family. */
export function isOpenAiFamily(model: Model): boolean {
  return model.author === 'openai'
}
