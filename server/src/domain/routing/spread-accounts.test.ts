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

// Computed with another program: every process of every version must get the same order.
it.each([
  ['alpha', 'cba', 'cba'],
  ['beta', 'bac', 'bca'],
  ['epsilon', 'cab', 'cab'],
  ['zeta', 'bca', 'cba'],
  ['theta', 'bca', 'bca'],
])(
  'tries the accounts for the conversation %s in the order %s, and with four times the weight of c in %s',
  (name, even, uneven) => {
    const orderOf = (weight: number) =>
      spreadAccounts([account('a', 1), account('b', 1), account('c', weight)], name).map((each) => each.account.id)
    expect(orderOf(1).join('')).toBe(even)
    expect(orderOf(4).join('')).toBe(uneven)
  },
)

it('keeps the hosts of one model apart from those of another', () => {
  const other = account('b', 100)
  const candidates = [account('a', 1), { ...other, model: { ...other.model, id: 'acme/other' } }]
  for (let index = 0; index < 100; index += 1) expect(firstOf(candidates, `${index}`)).toBe('a')
})

it('has nothing to spread among no accounts', () => {
  expect(spreadAccounts([], 'any')).toEqual([])
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
