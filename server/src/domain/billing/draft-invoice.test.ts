import { array, assert, bigInt, property } from 'fast-check'
import { expect, it } from 'vitest'
import { nanoUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { draftInvoice } from './draft-invoice.ts'

const usageOf = (...amounts: string[]) =>
  amounts.map((amount, index) => ({ costCenter: index === 0 ? null : `CC${index}`, amount: parseUsd(amount) }))

it('[P18] bills what is owed in whole cents, by cost center, and carries the rest', () => {
  const draft = draftInvoice({ usage: usageOf('1.006', '2.006', '3.007'), owed: parseUsd('6.019') }, 0)
  expect(draft).toMatchObject({ credit: parseUsd('6.01'), tax: zeroUsd, carried: parseUsd('0.009'), balance: zeroUsd })
  // All three lines were rounded down. One cent is missing, and the third line has the largest rest.
  expect(draft.lines.map(({ label, amount }) => [label, amount])).toEqual([
    ['Usage without a cost center', 100n],
    ['Usage, cost center CC1', 200n],
    ['Usage, cost center CC2', 301n],
  ])
})

it('[P18] of lines that lost the same, the first is raised', () => {
  const { lines } = draftInvoice({ usage: usageOf('0.005', '0.005', '0.005'), owed: parseUsd('0.015') }, 0)
  expect(lines.map(({ amount }) => amount)).toEqual([1n, 0n, 0n])
})

it('[P18] takes credit that was left off, and adds what earlier months owed', () => {
  const usage = usageOf('10')
  expect(draftInvoice({ usage, owed: parseUsd('7.5') }, 0).lines.map(({ item, amount }) => [item, amount])).toEqual([
    ['usage', 1_000n],
    ['balance', -250n],
  ])
  expect(draftInvoice({ usage, owed: parseUsd('7.5') }, 7).lines.map(({ label }) => label)).toEqual([
    'Usage without a cost center',
    'Balance from previous months',
    'Tax',
  ])
  expect(draftInvoice({ usage, owed: parseUsd('10.015') }, 0)).toMatchObject({
    balance: parseUsd('0.015'),
    carried: parseUsd('0.005'),
    lines: [
      { item: 'usage', amount: 1_000n },
      { item: 'balance', amount: 1n },
    ],
  })
})

it.each(['0', '0.009999999', '-5'])('[P18] bills nothing where %s USD are owed, and carries it', (owed) => {
  const draft = draftInvoice({ usage: usageOf('1'), owed: parseUsd(owed) }, 19)
  expect(draft).toMatchObject({ lines: [], credit: zeroUsd, tax: zeroUsd, carried: parseUsd(owed) })
})

it('[P18] adds tax on what is due, rounded up to a cent', () => {
  const draft = draftInvoice({ usage: usageOf('0.99'), owed: parseUsd('0.99') }, 19)
  expect(draft.tax).toBe(parseUsd('0.19'))
  expect(draft.lines.at(-1)).toMatchObject({ item: 'tax', amount: 19n, percent: 19 })
})

it('[P18] lines add up to what is due, each within a cent of its exact amount, and nothing is lost', () => {
  const amount = bigInt({ min: 0n, max: 10n ** 13n })
  assert(
    property(array(amount, { maxLength: 30 }), bigInt({ min: -(10n ** 12n), max: 10n ** 13n }), (parts, before) => {
      const usage = parts.map((part, index) => ({ costCenter: `C${index}`, amount: nanoUsd(part) }))
      const spent = parts.reduce((sum, part) => sum + part, 0n)
      const owed = nanoUsd(spent + before)
      const { lines, credit, carried, balance } = draftInvoice({ usage, owed }, 0)
      expect(credit + carried).toBe(spent + balance)
      expect(balance).toBe(before)
      if (credit === 0n) return
      expect(lines.reduce((sum, line) => sum + line.amountUsd, 0n)).toBe(credit)
      expect(carried >= 0n && carried < 10_000_000n).toBe(true)
      const exact = [...parts, ...(before === 0n ? [] : [before])]
      for (const [index, line] of lines.entries()) {
        const lost = (exact[index] ?? 0n) - line.amountUsd
        expect(lost < 10_000_000n && lost > -10_000_000n).toBe(true)
      }
    }),
  )
})
