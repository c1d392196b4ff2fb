import { expect, it } from 'vitest'
import { receiptBadges } from './receipt-badges.ts'

const plain = { is_failover: false, is_byok: false, cancelled: false, usage_doubted: false }

it.each([
  ['is_failover', 'Failover', 'warn'],
  ['is_byok', 'Own provider key', 'accent'],
  ['cancelled', 'Client disconnected', undefined],
  ['usage_doubted', 'Implausible usage', 'warn'],
] as const)('%s alone shows %s', (name, text, tone) => {
  const [badge, ...rest] = receiptBadges({ ...plain, [name]: true })
  expect([badge?.text, badge?.tone, rest]).toEqual([text, tone, []])
})

it('names the request whose answer was cached', () => {
  const badges = receiptBadges({ ...plain, cache: 'hit', cached_from: 'gen-1' })
  expect(badges).toEqual([{ text: 'From cache', tone: 'accent', hint: 'The cached answer of gen-1.' }])
})

it('explains implausible usage alone', () => {
  const all = receiptBadges({ is_failover: true, is_byok: true, cancelled: true, usage_doubted: true })
  expect(all.map(({ hint }) => hint?.split('.')[0])).toEqual([
    undefined,
    undefined,
    undefined,
    'The provider reported more usage than this request could have',
  ])
})

it('shows none for an ordinary request, and all of them in this order', () => {
  expect(receiptBadges(plain)).toEqual([])
  const all = receiptBadges({ is_failover: true, is_byok: true, cancelled: true, usage_doubted: true })
  expect(all.map(({ text }) => text)).toEqual([
    'Failover',
    'Own provider key',
    'Client disconnected',
    'Implausible usage',
  ])
})
