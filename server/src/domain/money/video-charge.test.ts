import { describe, expect, it } from 'vitest'
import { type MediaUsage, noUsage, type Usage } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import { formatUsd } from './nano-usd.ts'
import { type PriceList, parsePriceRules, parseUnitPrices } from './price-list.ts'
import { receiptLines } from './receipt-lines.ts'
import { hasVideoPrice, worstChargeOf } from './worst-charge.ts'

function list(units: Record<string, string>): PriceList {
  return { id: 'p', base: parseUnitPrices(units), tiers: [] }
}

function use(media: MediaUsage): Usage {
  return { ...noUsage, media }
}

const plain = list({ per_second_output: '0.1' })
const bothWays = list({ per_second_output: '0.1', per_second_video_input: '0.05' })
const atLeast = list({ per_second_output: '0.28', per_request_minimum: '0.56' })
const finer = list({ per_second_output: '0.05', per_second_output_1080p: '0.08' })
const tokens = list({ video_output_token: '0.000007' })
const edit = { outputVideoMs: 4_000, inputVideoMs: 3_500, variant: { task: 'video_edit' } }

describe('a video costs', () => {
  it.each<[string, MediaUsage, PriceList, string]>([
    ['its seconds', { outputVideoMs: 5_000 }, plain, '0.5'],
    ['its tokens where they have the price', { outputVideoMs: 5_000, videoTokens: 1_000 }, tokens, '0.007'],
    ['a price of its own in 1080p', { outputVideoMs: 5_000, variant: { resolution: '1080p' } }, finer, '0.4'],
    ['the plain one in others', { outputVideoMs: 5_000, variant: { resolution: '720p' } }, finer, '0.25'],
    ['of an edit what came in at its own price', edit, bothWays, '0.575'],
    ['of an edit what came in as what went out, where it has no price', edit, plain, '0.75'],
    ['nothing for what it goes on from', { ...edit, variant: { task: 'continuation' } }, plain, '0.4'],
    ['the least there is', { outputVideoMs: 1_000 }, atLeast, '0.56'],
    ['more than the least where it comes to more', { outputVideoMs: 3_000 }, atLeast, '0.84'],
  ])('[HOLD-10] %s, and as much is held', (_, media, prices, usd) => {
    expect(formatUsd(chargeFor(use(media), prices).cost)).toBe(usd)
    expect(formatUsd(worstChargeOf(use(media), prices))).toBe(usd)
  })

  it('a receipt says that the least was charged', () => {
    const lines = receiptLines(use({ outputVideoMs: 1_000 }), atLeast)
    expect(lines.at(-1)).toEqual({ item: 'per_request_minimum', count: 1, unitPriceUsd: '0.56' })
  })
})

it('a price of zero is one, that of another resolution is none, and the least is none by itself', () => {
  const rules = parsePriceRules([{ unit: 'per_second_output', usd: '0.1', when: { resolution: '720p' } }])
  const ruled = { ...list({ per_request_minimum: '0.5' }), ...rules }
  expect(hasVideoPrice(of('720p'), ruled)).toBe(true)
  expect(hasVideoPrice(of('4k'), ruled)).toBe(false)
  expect(hasVideoPrice(of('4k'), list({ per_second_output: '0' }))).toBe(true)
  expect(hasVideoPrice(of('4k'), list({ per_image_input: '0.01' }))).toBe(false)
})

function of(resolution: string): Usage {
  return use({ outputVideoMs: 5_000, videoTokens: 10, variant: { resolution } })
}
