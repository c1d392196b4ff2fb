import { expect, it } from 'vitest'
import { spendPeriods as shown } from '../../console/src/lib/spend-periods.ts'
import { resetNameOf, spendPeriods } from '../../server/src/domain/limits/spend-period.ts'

it('the console offers the periods of spend limits that the gateway has', () => {
  expect(shown).toEqual(spendPeriods.map((period) => ({ unit: period, adverb: resetNameOf(period) })))
})
