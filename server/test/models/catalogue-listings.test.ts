import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Listing, ListedOffer, ReadListing } from '#control/catalogue/sync/listing.ts'
import { mergeListings } from '#control/catalogue/sync/merge-listings.ts'
import { readLitellm } from '#control/catalogue/sync/read-litellm.ts'
import { readModelsDev } from '#control/catalogue/sync/read-models-dev.ts'
import { readOpenRouter } from '#control/catalogue/sync/read-openrouter.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { parseExactJson } from '#lib/exact-json.ts'

function read(source: string, file: string, reader: ReadListing): Listing {
  const text = readFileSync(new URL(`../samples/listings/${file}`, import.meta.url), 'utf8')
  return { source, offers: reader(parseExactJson(text)) }
}

const modelsDev = read('models.dev', 'models-dev.json', readModelsDev)
const litellm = read('litellm', 'litellm.json', readLitellm)
const openRouter = read('openrouter', 'openrouter.json', readOpenRouter)

function offer({ offers }: Listing, provider: string, upstreamModel: string): ListedOffer | undefined {
  return offers.find((each) => each.provider === provider && each.upstreamModel === upstreamModel)
}

describe('the reader of', () => {
  test('models.dev takes prices of a million tokens, limits, modalities and tiers', () => {
    expect(offer(modelsDev, 'google-ai-studio', 'gemini-3-pro')).toEqual({
      provider: 'google-ai-studio',
      variant: '',
      upstreamModel: 'gemini-3-pro',
      name: 'Gemini 3 Pro',
      kind: 'chat',
      inputModalities: ['text', 'image', 'file'],
      outputModalities: ['text'],
      contextLength: 1_048_576,
      maxCompletionTokens: 65_536,
      price: {
        units: { prompt: '0.000002', completion: '0.000012', cache_read: '0.0000002' },
        tiers: [
          {
            abovePromptTokens: 200_000,
            units: { prompt: '0.000004', completion: '0.000018', cache_read: '0.0000004' },
          },
        ],
      },
      releaseDate: '2026-03-01',
      retiresOn: null,
    })
    // models.dev lists embeddings as text; the kind is unknown and not guessed.
    expect(offer(modelsDev, 'openai', 'text-embedding-3-small')?.kind).toBeNull()
  })

  test('litellm takes prices of one unit in exponent form, tiers, service classes and dates of deprecation', () => {
    expect(offer(litellm, 'openai', 'gpt-5.2')).toMatchObject({
      kind: 'chat',
      contextLength: null,
      maxCompletionTokens: 128_000,
      price: {
        units: {
          prompt: '0.00000175',
          completion: '0.000014',
          cache_read: '0.000000175',
          priority_prompt: '0.0000035',
          priority_completion: '0.000028',
        },
        tiers: [],
      },
      retiresOn: '2027-06-30',
    })
    expect(offer(litellm, 'openai', 'text-embedding-3-small')?.price).toEqual({
      units: { prompt: '0.00000002' },
      tiers: [],
    })
    expect(offer(litellm, 'azure', 'gpt-5.2')?.variant).toBe('eu')
  })

  test('litellm passes over prices of sizes and regions, other interfaces, and prices of a million', () => {
    const names = litellm.offers.map(({ upstreamModel }) => upstreamModel)
    for (const name of ['gpt-5.3-codex', 'anthropic.claude-v1', 'dall-e-2']) expect(names).not.toContain(name)
    expect(offer(litellm, 'wandb', 'openai/gpt-oss-20b')?.price).toBeNull()
  })

  test('OpenRouter takes its own prices, by the length of the prompt but not by the hour', () => {
    const gemini = offer(openRouter, 'openrouter', 'google/gemini-3-pro')
    expect(gemini?.price?.tiers.map(({ abovePromptTokens }) => abovePromptTokens)).toEqual([200_000])
    expect(gemini?.retiresOn).toBe('2027-03-31')
    expect(offer(openRouter, 'openrouter', 'openai/gpt-5.2')?.price?.units).toEqual({
      prompt: '0.00000175',
      completion: '0.000014',
      cache_read: '0.000000175',
      web_search: '0.01',
    })
    expect(openRouter.offers.map(({ upstreamModel }) => upstreamModel)).not.toContain('openai/gpt-oss-20b:free')
  })
})

test('the three agree on what all of them list, and it is printed where they do not', () => {
  const rows = ['openai/gpt-5.2', 'google/gemini-3-pro', 'openai/gpt-5.6-luna'].map(soldByOpenRouter)
  const { rows: merged, disagreements } = mergeListings(
    rows,
    [modelsDev, litellm, openRouter],
    (slug) => slug === 'openrouter',
  )
  expect(disagreements).toEqual([
    {
      model: 'openai/gpt-5.6-luna',
      provider: 'openrouter',
      variant: '',
      what: 'price',
      said: [
        { source: 'models.dev', value: 'prompt 0.000001, completion 0.000006' },
        { source: 'litellm', value: 'prompt 0.0000002, completion 0.0000012' },
        { source: 'openrouter', value: 'prompt 0.0000002, completion 0.0000012' },
      ],
    },
  ])
  const priceOf = (id: string) => merged.find((row) => row.id === id)?.prices[0]?.units
  expect(priceOf('openai/gpt-5.2')).toEqual({
    prompt: '0.00000175',
    completion: '0.000014',
    cache_read: '0.000000175',
    web_search: '0.01',
  })
  expect(priceOf('google/gemini-3-pro')).toEqual({
    prompt: '0.000002',
    completion: '0.000012',
    cache_read: '0.0000002',
  })
  expect(priceOf('openai/gpt-5.6-luna')).toBeUndefined()
})

function soldByOpenRouter(id: string): CatalogueRow {
  return {
    id,
    name: id,
    author: id.split('/')[0] ?? '',
    kind: 'chat',
    description: null,
    contextLength: null,
    maxCompletionTokens: null,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: null,
    defaultProvider: 'openrouter',
    upstreamModel: id,
    aliases: [],
    releaseDate: null,
    retiresOn: null,
    listed: true,
    details: {},
    offers: [
      {
        provider: 'openrouter',
        variant: '',
        upstreamModel: id,
        contextLength: null,
        maxCompletionTokens: null,
        quantization: null,
        api: null,
      },
    ],
    prices: [],
  }
}
