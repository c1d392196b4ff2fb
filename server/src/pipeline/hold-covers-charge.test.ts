import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { parseChat } from '#dialects/chat/parse-chat.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { parseEmbeddings } from '#dialects/embeddings/parse-embeddings.ts'
import { imagesDialect } from '#dialects/images/images-dialect.ts'
import { parseSpeech } from '#dialects/speech/parse-speech.ts'
import { videosDialect } from '#dialects/videos/videos-dialect.ts'
import type { CatalogueRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'
import { withServiceTier } from '#domain/inference/service-tier.ts'
import { noUsage, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { parsePriceRules, parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { holdFor } from './hold-for.ts'

const file = new URL('../../catalogue/starter.json', import.meta.url)
const parsed = parseCatalogueFile(JSON.parse(readFileSync(file, 'utf8')))
assert(parsed.accepted, 'the starter catalogue is accepted')
const { rows } = parsed

/** Every model of a kind, at the price of each of its sellers. */
function sellersOf(kind: CatalogueRow['kind']): Candidate[] {
  return rows.filter((row) => row.kind === kind).flatMap((row) => row.prices.map((price) => sellerOf(row, price)))
}

function sellerOf(row: CatalogueRow, stated: PriceRow): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const { id, author, kind, contextLength, maxCompletionTokens, inputModalities, outputModalities, details } = row
  const offer = row.offers.find(({ provider, variant }) => provider === stated.provider && variant === stated.variant)
  return {
    ...candidate,
    account: { ...candidate.account, vendor: stated.provider },
    model: {
      ...candidate.model,
      id,
      author,
      kind,
      contextLength,
      maxCompletionTokens,
      inputModalities,
      outputModalities,
      details,
    },
    upstreamModel: offer?.upstreamModel ?? row.upstreamModel ?? id,
    price: priceListOf(stated),
  }
}

function priceListOf({ units, tiers, rules = [] }: PriceRow): PriceList {
  return {
    id: 'p',
    base: parseUnitPrices(units),
    tiers: tiers.map((tier) => ({ abovePromptTokens: tier.abovePromptTokens, prices: parseUnitPrices(tier.units) })),
    ...parsePriceRules(rules ?? []),
  }
}

const cap = 1_000
const inputs = ['uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'audioInput'] as const
const outputs = ['textOutput', 'reasoningOutput', 'audioOutput'] as const

/** The maximum tokens that one part can count, written by hand: the whole context if only the upstream can count it. */
const parts: readonly { name: string; part: JsonObject; most: (model: string) => number }[] = [
  { name: 'words alone', part: { type: 'text', text: 'Hello' }, most: () => 2 },
  { name: 'an image', part: { type: 'image_url', image_url: { url: 'https://a.example/1.png' } }, most: imageTokens },
  { name: 'a video', part: { type: 'video_url', video_url: { url: 'https://a.example/1.mp4' } }, most: () => Infinity },
  {
    name: 'a video inline',
    part: { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } },
    most: () => Infinity,
  },
  { name: 'a file by id', part: { type: 'file', file: { file_id: 'file-1' } }, most: () => Infinity },
  {
    name: 'a file inline',
    part: { type: 'file', file: { file_data: `data:application/pdf;base64,${'A'.repeat(40_000)}` } },
    most: () => 30_000,
  },
  // 30,000 bytes are 40 seconds at the lowest bit rate of speech, at 32 tokens per second.
  {
    name: 'a recording inline',
    part: { type: 'input_audio', input_audio: { data: 'A'.repeat(40_000), format: 'mp3' } },
    most: () => 1_280,
  },
]

function imageTokens(model: string): number {
  if (model.includes('claude')) return 4_784
  if (model.includes('gpt-4o-mini')) return 48_169
  if (/openai\/(?:gpt-4|gpt-5(?:$|-|\.[0-3])|o\d)/.test(model)) return 3_779
  return 16_384
}

describe.each(parts)(
  'C4: a hold covers a conversation with $name, however its upstream counts it',
  ({ part, most }) => {
    it.each([undefined, 'priority', 'flex'] as const)('in the tier %s', (tier) => {
      const wish = tier === undefined ? {} : { service_tier: tier, speed: tier === 'priority' ? 'fast' : tier }
      const messages = [{ role: 'user', content: [{ type: 'text', text: 'Look:' }, part] }]
      const call = parseChat({ model: 'a/b', messages, max_tokens: cap, ...wish })
      const short: string[] = []
      for (const seller of sellersOf('chat')) {
        const held = holdFor([seller], call, cap)
        const context = seller.model.contextLength ?? 1_000_000
        // Besides the part, one text token and four for the message.
        const prompt = Math.min(most(seller.model.id), context - 5) + 5
        for (const usage of usagesOf(prompt)) {
          for (const served of isSoldIn(seller, tier) ? [undefined, tier] : [undefined]) {
            const { cost } = chargeFor(withServiceTier(usage, served), seller.price)
            if (cost > held) short.push(`${seller.model.id} at ${seller.account.vendor}: ${cost} above ${held}`)
          }
        }
      }
      expect([...new Set(short)]).toEqual([])
    })
  },
)

/** The whole prompt in each input class, combined with the whole output in each output class. */
function usagesOf(prompt: number): Usage[] {
  return inputs.flatMap((input) =>
    outputs.map((output): UsageClasses => ({ ...noUsage, [input]: prompt, [output]: cap })),
  )
}

function isSoldIn({ model, price }: Candidate, tier: 'priority' | 'flex' | undefined): boolean {
  if (tier === undefined || (model.author !== 'openai' && (model.author !== 'anthropic' || tier === 'flex')))
    return false
  return price.base[`${tier}_prompt`] !== undefined && price.base[`${tier}_completion`] !== undefined
}

const media: readonly [kind: CatalogueRow['kind'], calls: readonly DialectCall[]][] = [
  [
    'image',
    [
      imagesDialect.parse({ model: 'a/b', prompt: 'A weir', n: 2 }, []),
      imagesDialect.parse({ model: 'a/b', prompt: 'A weir', size: '1024x1024', quality: 'high' }, []),
    ],
  ],
  ['embedding', [parseEmbeddings({ model: 'a/b', input: ['Hello there', 'You'] })]],
  ['speech', [parseSpeech({ model: 'a/b', input: 'Hello there', voice: 'x' })]],
  ['video', [videosDialect.parse({ model: 'a/b', prompt: 'A weir' }, [])]],
]

describe.each(media)('C4: a hold covers %s, in every variant that has a price', (kind, calls) => {
  it.each(calls)('call %#', (call) => {
    const short: string[] = []
    for (const seller of sellersOf(kind)) {
      const held = holdFor([seller], call, 0)
      const worst: Usage = (call.media?.fitTo?.(seller.model) ?? call.media)?.worst ?? noUsage
      for (const { when } of [{ when: {} }, ...(seller.price.rules ?? [])]) {
        // The response cannot change the terms of the order.
        const variant = { ...when, ...worst.media?.variant }
        const { cost } = chargeFor(
          { ...worst, ...(worst.media === undefined ? {} : { media: { ...worst.media, variant } }) },
          seller.price,
        )
        if (cost > held)
          short.push(`${seller.model.id} at ${seller.account.vendor} ${JSON.stringify(variant)}: ${cost} above ${held}`)
      }
    }
    expect(short).toEqual([])
  })
})
