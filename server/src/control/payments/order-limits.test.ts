import { expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { limitOf, pagesOf } from './order-top-up.ts'
import type { PaymentOffer } from './payment-offer.ts'

const nowMs = Date.parse('2031-03-10T12:00:00Z')
const offer = { newAccount: { days: 7, creditMax: parseUsd('500') } } as PaymentOffer

it('limits what an account orders within a day in its first days, and how many orders wait', () => {
  expect(limitOf(offer, nowMs)).toEqual({
    newSinceMs: Date.parse('2031-03-03T12:00:00Z'),
    sinceMs: Date.parse('2031-03-09T12:00:00Z'),
    creditMax: parseUsd('500'),
    openMax: 20,
  })
})

it('brings a payer back to the page of credit, which tells a payment from a cancelled one', () => {
  expect(pagesOf({ creditsUrl: 'https://weir.test/credits' }, { id: 'order', walletId: 'wallet' })).toEqual({
    successUrl: 'https://weir.test/credits?top_up=order&wallet=wallet',
    cancelUrl: 'https://weir.test/credits?cancelled=order&wallet=wallet',
  })
})
