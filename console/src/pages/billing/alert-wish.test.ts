import { expect, it } from 'vitest'
import { alertFields, alertWish, judgeBalances, judgePercents } from './alert-wish.ts'

it('shows what was chosen, and sends it back as it was', () => {
  const alerts = { mail: true, webhook_url: null, balances: [5, '20.5' as const], budget_percents: [80, 100] }
  const fields = alertFields(alerts)
  expect(fields).toEqual({ mail: true, webhookUrl: '', balances: '5, 20.5', budgetPercents: '80, 100' })
  expect(alertWish(fields)).toEqual({
    mail: true,
    webhookUrl: null,
    balances: ['5', '20.5'],
    budgetPercents: [80, 100],
  })
})

it('takes lists with commas and spaces, and nothing at all', () => {
  expect([judgeBalances(''), judgeBalances('5 20,0.5'), judgePercents('1, 100')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('says what is wrong with a list', () => {
  expect(judgeBalances('five')).toMatch(/such as 5, 20/)
  expect(judgePercents('0')).toMatch(/1 to 100/)
  expect(judgePercents('101')).toMatch(/1 to 100/)
  expect(judgePercents('1 2 3 4 5 6 7 8 9 10 11')).toBe('Enter no more than 10 values.')
})
