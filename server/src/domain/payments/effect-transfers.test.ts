import { describe, expect, it } from 'vitest'
import { formatUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { minor } from './currency.ts'
import { type Step, transfersOf } from './effect-transfers.ts'
import type { EffectKind } from './payment-effect.ts'
import { noSums, type PaymentSums } from './top-up.ts'

type Said = Partial<Record<keyof PaymentSums, bigint>>

function sumsOf(said: Said): PaymentSums {
  const told = Object.fromEntries(Object.entries(said).map(([name, amount]) => [name, minor(amount)]))
  return { ...noSums, paid: minor(3n), ...told }
}

/**
 * One US dollar of credit, fee and tax, paid with three units of another currency, so no share of it is whole cents.
 */
function moves(kind: EffectKind, { before, after, disputed }: { before: Said; after: Said; disputed: string }) {
  const booked = { credit: parseUsd('0.8'), fee: parseUsd('0.15'), tax: parseUsd('0.05') }
  const step: Step = { before: sumsOf(before), after: sumsOf(after), booked, disputed: parseUsd(disputed) }
  const { transfers, disputed: left } = transfersOf(kind, step)
  return {
    moves: transfers.map((each) => `${each.kind} ${each.debit}>${each.credit} ${formatUsd(each.amount)}`),
    left: formatUsd(left),
  }
}

const lose = (lost: bigint, disputed: string, more: Said = {}) =>
  moves('dispute_lost', { before: { withdrawn: 2n, ...more }, after: { withdrawn: 2n, ...more, lost }, disputed })

describe('P10 what a dispute leaves between two currencies', () => {
  it('stays in its account while it is open', () => {
    expect(moves('dispute', { before: {}, after: { withdrawn: 1n }, disputed: '0' })).toEqual({
      moves: ['dispute wallet>disputed 0.26', 'dispute fees>disputed 0.05', 'dispute tax>disputed 0.02'],
      left: '0.33',
    })
  })

  it('is a gain where more came back than had gone there', () => {
    const before = { refunded: 1n, withdrawn: 1n }
    expect(moves('dispute_won', { before, after: { ...before, reinstated: 1n }, disputed: '0.33' })).toEqual({
      moves: [
        'dispute_won disputed>wallet 0.28',
        'dispute_won disputed>fees 0.05',
        'dispute_won disputed>tax 0.01',
        'dispute_won losses>disputed 0.01',
      ],
      left: '0',
    })
  })

  it('is a loss where less came back', () => {
    const before = { refunded: 1n, returned: 1n, withdrawn: 1n }
    const { moves: all, left } = moves('dispute_won', {
      before,
      after: { ...before, reinstated: 1n },
      disputed: '0.34',
    })
    expect(all.at(-1)).toBe('dispute_won disputed>losses 0.01')
    expect(left).toBe('0')
  })

  it('is a loss where it is lost, and nothing more leaves than is there', () => {
    expect(lose(2n, '0.67')).toEqual({ moves: ['dispute_lost disputed>cash 0.67'], left: '0' })
    expect(lose(2n, '0.68')).toEqual({
      moves: ['dispute_lost disputed>cash 0.67', 'dispute_lost disputed>losses 0.01'],
      left: '0',
    })
    expect(lose(2n, '0.6')).toEqual({ moves: ['dispute_lost disputed>cash 0.6'], left: '0' })
    expect(lose(2n, '0')).toEqual({ moves: [], left: '0' })
    expect(lose(1n, '0.67')).toEqual({ moves: ['dispute_lost disputed>cash 0.33'], left: '0.34' })
    const more = { withdrawn: 3n, lost: 1n }
    expect(lose(2n, '0.67', more)).toEqual({ moves: ['dispute_lost disputed>cash 0.34'], left: '0.33' })
    expect(lose(2n, '0.34', { lost: 1n })).toEqual({ moves: ['dispute_lost disputed>cash 0.34'], left: '0' })
  })
})
