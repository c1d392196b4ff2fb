import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { withDisputedPrices } from '#domain/catalogue/disputed-price.ts'
import { slugOf } from '#domain/catalogue/catalogue.ts'
import { authorOf, isModelId } from '#domain/catalogue/model-id.ts'
import { officialWord } from './official-word.ts'
import { type QuotedOffer, wordOn } from './quotes.ts'

/** Providers that sell only their own models, with the author prefix of the model ids. */
const authors: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'google-ai-studio': 'google',
  mistral: 'mistralai',
  xai: 'x-ai',
  deepseek: 'deepseek',
  moonshotai: 'moonshotai',
  'z-ai': 'z-ai',
  minimax: 'minimax',
  perplexity: 'perplexity',
  cohere: 'cohere',
  voyage: 'voyageai',
  alibaba: 'qwen',
}

/**
 * Models that the catalogue lacks, from providers that sell only their own. For other providers the author of a model
 * is unknown. A model is added only if a source states its kind, and with its price or its price dispute.
 */
export function newModels(
  offers: readonly QuotedOffer[],
  known: ReadonlySet<string>,
): { rows: readonly CatalogueRow[] } {
  const slugs = new Set([...known].map(slugOf))
  const rows = offers.flatMap((offer) => {
    const row = modelOf(offer)
    if (row === undefined || slugs.has(slugOf(row.id))) return []
    slugs.add(slugOf(row.id))
    return [row]
  })
  return { rows }
}

function modelOf({ provider, variant, upstreamModel, quotes }: QuotedOffer): CatalogueRow | undefined {
  const id = `${authors[provider] ?? ''}/${upstreamModel.toLowerCase()}`
  const first = <Value>(read: (offer: (typeof quotes)[number]['offer']) => Value | null): Value | null =>
    quotes.map(({ offer }) => read(offer)).find((value) => value !== null) ?? null
  const agreed = <Value>(read: (offer: (typeof quotes)[number]['offer']) => Value | null): Value | null => {
    const word = wordOn(quotes, read)
    return word.kind === 'agreed' ? word.value : null
  }
  const kind = agreed(({ kind }) => kind)
  const { word: price } = officialWord({ provider, variant, upstreamModel, quotes })
  if (authors[provider] === undefined || variant !== '' || !isModelId(id) || kind === null || price.kind === 'silent')
    return undefined
  const limits = {
    contextLength: agreed((offer) => offer.contextLength),
    maxCompletionTokens: agreed((offer) => offer.maxCompletionTokens),
  }
  const disputed =
    price.kind === 'disputed'
      ? [{ provider, quotes: price.said.map(({ source, value }) => ({ source, units: value.units })) }]
      : []
  return {
    id,
    name: first(({ name }) => name) ?? id,
    author: authorOf(id),
    kind,
    description: null,
    ...limits,
    inputModalities: first((offer) => offer.inputModalities) ?? (kind === 'transcription' ? ['audio'] : ['text']),
    outputModalities: first((offer) => offer.outputModalities) ?? ['text'],
    supportedParameters: null,
    defaultProvider: provider,
    upstreamModel,
    aliases: [],
    releaseDate: agreed((offer) => offer.releaseDate),
    retiresOn: agreed((offer) => offer.retiresOn),
    listed: true,
    details: withDisputedPrices({}, disputed),
    offers: [{ provider, variant, upstreamModel, ...limits, quantization: null, api: null }],
    prices: price.kind === 'agreed' ? [{ provider, variant, ...price.value }] : [],
  }
}
