import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { firstTokenMsOf } from './first-token-ms-of.ts'
import { refundReasons } from './generation-record.ts'
import { receiptOf } from './receipt.ts'

const usage = { ...noUsage, uncachedInput: 3, textOutput: 2 }
const price = { id: 'p1', base: parseUnitPrices({ prompt: '0.000001', completion: '0.000002' }), tiers: [] }

describe('a receipt', () => {
  it('[P10] says by which price version it was charged, and how the cost came about', () => {
    expect(receiptOf({ usage, refundReason: null }, price)).toEqual({
      priceId: 'p1',
      total: 7_000n,
      lines: [
        { item: 'uncachedInput', count: 3, unitPriceUsd: '0.000001' },
        { item: 'textOutput', count: 2, unitPriceUsd: '0.000002' },
      ],
    })
  })

  it.each(refundReasons)('is none where the request cost nothing: %s', (refundReason) => {
    expect(receiptOf({ usage, refundReason }, price)).toBeNull()
  })

  it('is none without a price', () => {
    expect(receiptOf({ usage, refundReason: null }, null)).toBeNull()
  })
})

it('a request may have cost nothing for one of these reasons, as clients see them', () => {
  expect(refundReasons).toEqual([
    'upstream_failed',
    'upstream_rejected',
    'unusable_answer',
    'stream_interrupted',
    'no_usage',
    'zero_usage',
    'client_cancelled',
    'credit_exhausted',
    'gateway_fault',
    'lease_lapsed',
    'not_billed',
    'free_tier',
    'own_key',
    'cache_hit',
  ])
})

describe('the first token of an answer', () => {
  it.each([
    ['when it was streamed', 120, usage, 120],
    ['at once, when it was streamed so', 0, usage, 0],
    ['with the last, when it was not streamed', null, usage, 900],
    ['never, when there was none', null, { ...noUsage, uncachedInput: 3 }, null],
  ])('came %s', (_, firstTokenMs, counted, expected) => {
    expect(firstTokenMsOf({ firstTokenMs, durationMs: 900, usage: counted })).toBe(expected)
  })
})
