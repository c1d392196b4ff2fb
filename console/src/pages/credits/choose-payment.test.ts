import { expect, it } from 'vitest'
import { firstWish, payIn, providersFor } from './choose-payment.ts'

const stripe = { name: 'stripe', test: false, saves_methods: true, currencies: ['usd', 'cny'] } as const
const epay = { name: 'epay', test: true, saves_methods: false, currencies: ['cny'] } as const
const offer = {
  currencies: ['usd', 'cny'],
  providers: [stripe, epay].map((one) => ({ ...one, currencies: [...one.currencies] })),
}

it('begins with the first currency and who takes it first', () => {
  expect(firstWish(offer)).toEqual({ amount: '25', currency: 'usd', provider: 'stripe', isSaving: false })
  expect(firstWish({ ...offer, currencies: ['cny'], providers: offer.providers.slice(1) })).toMatchObject({
    currency: 'cny',
    provider: 'epay',
  })
})

it('keeps the provider for another currency only where it takes it', () => {
  const wish = { amount: '10', currency: 'cny', provider: 'epay', isSaving: false }
  expect(payIn(offer, wish, 'usd')).toEqual({ ...wish, currency: 'usd', provider: 'stripe' })
  expect(payIn(offer, { ...wish, provider: 'stripe' }, 'usd')).toMatchObject({ provider: 'stripe' })
  expect(payIn(offer, { ...wish, currency: 'usd', provider: 'stripe' }, 'cny')).toMatchObject({ provider: 'stripe' })
})

it('lists who takes a currency', () => {
  expect(providersFor(offer, 'cny').map(({ name }) => name)).toEqual(['stripe', 'epay'])
  expect(providersFor(offer, 'eur')).toEqual([])
})

it('keeps a card only where the provider does', () => {
  const wish = { amount: '10', currency: 'usd', provider: 'stripe', isSaving: true }
  expect(payIn(offer, wish, 'cny')).toMatchObject({ provider: 'stripe', isSaving: true })
  expect(payIn({ ...offer, providers: offer.providers.slice(1) }, wish, 'cny')).toMatchObject({ isSaving: false })
})

it('keeps a provider that is not the first choice where it takes the other currency as well', () => {
  const both = { ...epay, currencies: ['cny', 'usd'] }
  const wide = { ...offer, providers: [...offer.providers.slice(0, 1), both] }
  const wish = { amount: '10', currency: 'cny', provider: 'epay', isSaving: false }
  expect(payIn(wide, wish, 'usd')).toMatchObject({ currency: 'usd', provider: 'epay' })
})

it('names no provider where nobody takes the currency, and keeps no card', () => {
  const wish = { amount: '10', currency: 'usd', provider: 'stripe', isSaving: true }
  expect(payIn(offer, wish, 'eur')).toEqual({ amount: '10', currency: 'eur', provider: '', isSaving: false })
  expect(firstWish({ currencies: [], providers: [] })).toEqual({
    amount: '25',
    currency: 'usd',
    provider: '',
    isSaving: false,
  })
})
