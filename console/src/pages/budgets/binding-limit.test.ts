import { describe, expect, it } from 'vitest'
import { appliedBudget, bindingBudget } from './binding-limit.ts'

describe('the budget that runs out first', () => {
  it('counts what is spent and on hold, to the last digit', () => {
    expect(appliedBudget('Monthly', { budget: 1, spent: '0.4', held: '0.000000001' })).toEqual([
      { name: 'Monthly', left: 599_999_999n },
    ])
  })

  it('has nothing left of an overspent budget, and is not there without a budget', () => {
    expect(appliedBudget('Monthly', { budget: 1, spent: 2, held: 0 })).toEqual([{ name: 'Monthly', left: 0n }])
    expect(appliedBudget('Monthly', { budget: null, spent: 2, held: 0 })).toEqual([])
  })

  it('is the one with the least left, and the wider of two with the same', () => {
    const [wide, team, own] = [
      { name: 'organization', left: 5n },
      { name: 'team', left: 3n },
      { name: 'member', left: 3n },
    ]
    expect(bindingBudget([wide, team, own])).toBe(team)
    expect(bindingBudget([])).toBeUndefined()
  })
})
