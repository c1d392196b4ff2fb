import { expect, it } from 'vitest'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Candidate } from './candidates.ts'
import { spreadAccounts } from './spread-accounts.ts'

const template = testTicket().plan.candidates[0] ?? never()

function never(): never {
  throw new Error('the test ticket has a candidate')
}

function account(id: string, weight: number, vendor = 'openai'): Candidate {
  return { ...template, account: { ...template.account, id, name: id, vendor, weight } }
}

const firstOf = (candidates: readonly Candidate[], conversation: string): string =>
  spreadAccounts(candidates, conversation)[0]?.account.id ?? ''

it('gives each account of a vendor its share of conversations, and each conversation always the same one', () => {
  const accounts = [account('a', 1), account('b', 3)]
  let first = 0
  for (let index = 0; index < 10_000; index += 1) {
    const chosen = firstOf(accounts, `conversation ${index}`)
    expect(firstOf(accounts.toReversed(), `conversation ${index}`)).toBe(chosen)
    if (chosen === 'a') first += 1
  }
  expect(first / 10_000).toBeGreaterThan(0.23)
  expect(first / 10_000).toBeLessThan(0.27)
})

it('moves only its own share when an account is taken away', () => {
  const three = [account('a', 1), account('b', 1), account('c', 1)]
  for (let index = 0; index < 1_000; index += 1) {
    const before = firstOf(three, `${index}`)
    const after = firstOf(three.slice(0, 2), `${index}`)
    if (before !== 'c') expect(after).toBe(before)
  }
})

it('keeps accounts of different priority in the order that the operator gave them', () => {
  const [first, second] = [account('first', 1), account('second', 100)]
  const candidates = [
    { ...first, priority: 0 },
    { ...second, priority: 1 },
  ]
  for (let index = 0; index < 100; index += 1) expect(firstOf(candidates, `${index}`)).toBe('first')
})

it('does not mix vendors, whose order has other reasons', () => {
  const mixed = [account('a', 1), account('x', 100, 'groq'), account('b', 1)]
  expect(spreadAccounts(mixed, 'any').map(({ account: { id } }) => id)).toEqual(['a', 'x', 'b'])
})
