import type { PriceList } from '#domain/money/price-list.ts'
import type { JsonObject } from '#lib/json.ts'

/** Output modalities, as in the listing's filter. */
export const outputModalities = [
  'text',
  'image',
  'embeddings',
  'audio',
  'video',
  'rerank',
  'speech',
  'transcription',
  'moderation',
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
  'moderation',
  'realtime',
] as const
export type ModelKind = (typeof modelKinds)[number]

/** An API that a provider offers for some of its models, besides its default one. */
export const upstreamApis = ['responses'] as const
export type UpstreamApi = (typeof upstreamApis)[number]

/** One provider's offer of a model. */
export interface Offer {
  readonly provider: string
  /** Region or service tier if a provider has several; empty otherwise. */
  readonly variant: string
  readonly upstreamModel: string
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly quantization: string | null
  /** The only API through which the provider sells it; missing for the default one. */
  readonly api?: UpstreamApi
  readonly price: PriceList | null
  /** The operator's purchase price; missing if it is the list price. */
  readonly purchase?: PriceList
}

export interface Model {
  /** `author/name` in lower case, with an optional suffix such as `:free`. */
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
  /** The provider whose price the listing shows. */
  readonly defaultProvider: string | null
  readonly upstreamModel: string | null
  readonly aliases: readonly string[]
  readonly releasedAtMs: number | null
  readonly retiresAtMs: number | null
  /** False if known but hidden in listings. */
  readonly listed: boolean
  readonly details: JsonObject
  /** The listing's price: the default provider's, else the model's own. Null means not priced, never free. */
  readonly price: PriceList | null
  readonly offers: readonly Offer[]
}

/** `:free` models cost nothing within their quota and are never charged. */
export function isFreeEntry(model: Pick<Model, 'id'>): boolean {
  return model.id.endsWith(':free')
}

/** Fields such as `logit_bias` are sent only to models of this family. */
export function isOpenAiFamily(model: Model): boolean {
  return model.author === 'openai'
}
