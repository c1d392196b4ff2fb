import { expect, it } from 'vitest'
import type { ImportedRow, ImportResult } from '../../api/import-members.ts'
import { joinResults } from './join-results.ts'

const line = (row: number, outcome: ImportedRow['outcome']): ImportedRow => ({
  row,
  email: `${row}@b.c`,
  outcome,
  reason: null,
  url: null,
})
const part = (rows: ImportedRow[], monthly: number): ImportResult => ({
  rows,
  newTeams: [`team ${monthly}`],
  counts: { invite: 0, change: 0, unchanged: 0, error: 0 },
  maximumCost: { monthly, memberBudgets: monthly, withoutBudget: 0 },
})

it('joins the parts and the rows that were left out, and keeps the last maximum', () => {
  expect(joinResults([], [])).toBeNull()
  const parts = [part([line(2, 'invite'), line(4, 'invite')], 5), part([line(5, 'invite'), line(6, 'change')], 7)]
  expect(joinResults(parts, [line(3, 'error')])).toEqual({
    rows: [line(2, 'invite'), line(3, 'error'), line(4, 'invite'), line(5, 'invite'), line(6, 'change')],
    newTeams: ['team 5', 'team 7'],
    counts: { invite: 3, change: 1, unchanged: 0, error: 1 },
    maximumCost: { monthly: 7, memberBudgets: 7, withoutBudget: 0 },
  })
})

it('counts a row once that is in a part and was left out', () => {
  expect(joinResults([part([line(2, 'error')], 1)], [line(2, 'error')])?.rows).toEqual([line(2, 'error')])
})
