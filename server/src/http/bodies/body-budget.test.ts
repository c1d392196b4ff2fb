import { expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

it('[B5] counts what is in memory of all clients, and refuses what would be more', () => {
  const budget = createBodyBudget({ bytesMax: 100, addressBytesMax: 60 })
  const [first, second] = [budget.open('a'), budget.open('b')]
  first.add(50)
  second.add(50)
  expect(() => budget.open('c').add(1)).toThrow('Too much request data in flight. ')
  expect(budget.byteCount).toBe(100)
  first.close()
  first.close()
  expect(budget.byteCount).toBe(50)
  expect(() => budget.open('c').add(50)).not.toThrow()
})

it('[B5] counts each address by itself, over all of its bodies', () => {
  const budget = createBodyBudget({ bytesMax: 100, addressBytesMax: 60 })
  const first = budget.open('a')
  first.add(30)
  budget.open('a').add(30)
  expect(() => budget.open('a').add(1)).toThrow('from your IP address')
  expect(() => budget.open('b').add(40)).not.toThrow()
  first.close()
  expect(() => budget.open('a').add(30)).not.toThrow()
})

it('[B5] is refused with 503 and a word on when to come again', () => {
  const account = createBodyBudget({ bytesMax: 1, addressBytesMax: 1 }).open('a')
  expect(() => account.add(2)).toThrow(expect.objectContaining({ errorName: 'overloaded', retryAfterS: 2 }))
})
