import { expect, it } from 'vitest'
import { summaryOf, valueInWords } from './change-words.ts'

it.each([
  ['price', 'acme prompt', '0.00000175', '$1.75 / 1M'],
  ['price', 'acme/eu completion above 200000', '0.000014', '$14.00 / 1M'],
  ['purchase', 'acme per_request', '0.01', '$0.01'],
  ['price', 'acme web_search', '0.005', '$0.005'],
  ['limit', 'context length', '200000', '200000'],
  ['price', 'acme prompt', null, 'None'],
] as const)('a %s of %s of %j is shown as %j', (what, where, value, shown) => {
  expect(valueInWords({ what, where }, value)).toBe(shown)
})

it('counts models once, and names doubtful changes', () => {
  const change = { model: 'acme/one', what: 'price', where: 'acme prompt', from: null, to: '1', doubt: null } as const
  expect(summaryOf([change])).toBe('1 change to 1 model')
  expect(summaryOf([change, { ...change, doubt: 'more than double' }])).toBe('2 changes to 1 model, 1 doubtful')
})
