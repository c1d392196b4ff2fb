import { expect, it } from 'vitest'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { describeRates, newSubject } from './rates-contract.ts'

describeRates('rates in memory', async () => ({ rates: createMemoryRates(), close: async () => {} }))

it('rates in memory forget the callers longest unseen and keep the others', async () => {
  const rates = createMemoryRates({ clientsMax: 2 })
  const [first, second, third] = [newSubject(), newSubject(), newSubject()]
  for (const subject of [first, second, first, third]) await rates.admit(subject, 10, 0)
  expect(await rates.admit(first, 10, 0)).toMatchObject({ remaining: 7 })
  expect(await rates.admit(second, 10, 0)).toMatchObject({ remaining: 9 })
})
