import { expect, test } from 'vitest'
import { noticeTitle, priceLine, retirementLine } from './notice-words.ts'

const price = { provider: 'acme', variant: '', unit: 'prompt', when: '', per: 'million', from: '1', to: '1.5' } as const
const dearer = { id: 'acme/one', name: 'One', prices: [price], retirement: null }
const retiring = { id: 'acme/two', name: 'Two', prices: [], retirement: { from: null, to: '2027-01-31' } }

test('a notice is named for what has changed', () => {
  expect(noticeTitle({ kind: 'change', models: [dearer] })).toBe('Changed prices')
  expect(noticeTitle({ kind: 'change', models: [retiring] })).toBe('Changed retirement dates')
  expect(noticeTitle({ kind: 'change', models: [dearer, retiring] })).toBe('Changed prices and retirement dates')
  expect(noticeTitle({ kind: 'reminder', models: [retiring] })).toBe('Models that you use retire soon')
})

test('a changed price names the provider, the unit, and both amounts', () => {
  expect(priceLine(price)).toBe('acme prompt: $1.00 to $1.50 / 1M')
  const image = {
    ...price,
    variant: 'eu',
    unit: 'per_image_output',
    when: 'quality high',
    per: 'one',
    to: null,
  } as const
  expect(priceLine(image)).toBe('acme eu per image output (quality high): $1.00 to not offered')
})

test('a retirement date is new, has moved, or is withdrawn', () => {
  expect(retirementLine({ from: null, to: '2027-01-31' })).toBe('Retires on 2027-01-31')
  expect(retirementLine({ from: '2027-01-31', to: '2027-01-31' })).toBe('Retires on 2027-01-31')
  expect(retirementLine({ from: '2027-01-31', to: '2027-03-31' })).toBe('Retires on 2027-03-31, not on 2027-01-31')
  expect(retirementLine({ from: '2027-01-31', to: null })).toBe('No longer retires on 2027-01-31')
})
