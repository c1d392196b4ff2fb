import { describe, expect, it } from 'vitest'
import { formatUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { judgeAutoTopUp, pauseAfter, type WalletStanding } from './auto-top-up.ts'

type Words = Partial<Record<keyof WalletStanding, string | boolean>>

const bounds = { creditMin: parseUsd('5'), creditMax: parseUsd('200') }
const rule = {
  threshold: parseUsd('10'),
  target: parseUsd('50'),
  dayMax: parseUsd('100'),
  monthMax: parseUsd('300'),
}

function usd(text: string | boolean | undefined) {
  return typeof text === 'string' ? parseUsd(text) : zeroUsd
}

function judge(words: Words, limits: Partial<Record<keyof typeof rule | keyof typeof bounds, string>> = {}) {
  const changed = Object.fromEntries(Object.entries(limits).map(([name, text]) => [name, parseUsd(text)]))
  const verdict = judgeAutoTopUp(
    { ...rule, ...changed },
    {
      balance: usd(words.balance),
      creditLine: usd(words.creditLine),
      held: usd(words.held),
      underWay: usd(words.underWay),
      boughtToday: usd(words.boughtToday),
      boughtThisMonth: usd(words.boughtThisMonth),
      hasOpenAttempt: words.hasOpenAttempt === true,
      isDisputed: words.isDisputed === true,
    },
    { ...bounds, ...changed },
  )
  return verdict.isDue ? formatUsd(verdict.credit) : verdict.why
}

describe('[P13] when a wallet is topped up by itself, and with how much', () => {
  it.each([
    ['at the threshold', { balance: '10' }, 'enough'],
    ['a nano-dollar below it', { balance: '9.999999999' }, '40.01'],
    ['with nothing', {}, '50'],
    ['with debt', { balance: '-20.5' }, '70.5'],
    ['what is held is not available', { balance: '12', held: '2.000000001' }, '40.01'],
    ['what is held leaves enough', { balance: '12', held: '2' }, 'enough'],
    ['a credit line is available', { balance: '-90', creditLine: '100' }, 'enough'],
    ['a credit line that is used up', { balance: '-95', creditLine: '100' }, '45'],
    ['a top-up under way is available', { balance: '4', underWay: '6' }, 'enough'],
    ['a top-up under way that is too little', { balance: '4', underWay: '5' }, '41'],
    ['an open attempt', { balance: '1', hasOpenAttempt: true }, 'open_attempt'],
    ['an open attempt, and enough', { balance: '20', hasOpenAttempt: true }, 'open_attempt'],
    ['a dispute', { balance: '1', isDisputed: true }, 'disputed'],
    ['a dispute, and enough', { balance: '20', isDisputed: true }, 'enough'],
  ] as const)('%s', (_, words, expected) => {
    expect(judge(words)).toBe(expected)
  })

  it('rounds the gap up to a cent, and a gap of whole cents stays', () => {
    expect(judge({ balance: '0.000000001' })).toBe('50')
    expect(judge({ balance: '0.01' })).toBe('49.99')
    expect(judge({ balance: '0.010000001' })).toBe('49.99')
  })

  it.each([
    ['the rest of the day', { boughtToday: '80', boughtThisMonth: '80' }, '20'],
    ['the rest of the month', { boughtToday: '0', boughtThisMonth: '270' }, '30'],
    ['exactly the least that is sold', { boughtToday: '95', boughtThisMonth: '95' }, '5'],
    ['less than is sold', { boughtToday: '95.01', boughtThisMonth: '95.01' }, 'capped'],
    ['a day that is used up', { boughtToday: '100', boughtThisMonth: '100' }, 'capped'],
    ['a month that is used up', { boughtToday: '0', boughtThisMonth: '300' }, 'capped'],
    ['a cap that was lowered since', { boughtToday: '150', boughtThisMonth: '150' }, 'capped'],
  ] as const)('buys no more than the caps leave: %s', (_, words, expected) => {
    expect(judge(words)).toBe(expected)
  })

  it('buys no more at once than the operator sells', () => {
    const roomy = { dayMax: '1000', monthMax: '1000' }
    expect(judge({ balance: '-150' }, roomy)).toBe('200')
    expect(judge({ balance: '-150.01' }, roomy)).toBe('200')
    expect(judge({ balance: '-149.99' }, roomy)).toBe('199.99')
    expect(judge({}, { ...roomy, creditMin: '50' })).toBe('50')
    expect(judge({}, { ...roomy, creditMin: '50.01' })).toBe('capped')
  })

  it('pauses for 1, 6 and 24 hours after failures in a row, and then is off', () => {
    expect([1, 2, 3, 4, 5].map(pauseAfter)).toEqual([3_600_000, 21_600_000, 86_400_000, null, null])
  })
})
