import { describe, expect, it } from 'vitest'
import { promoteScore } from './promote-score.ts'
import type { Score } from './score-request.ts'
import type { AutoTier } from './tiers.ts'

const score = (tier: AutoTier, runnerUp: AutoTier, lead: number): Score => ({
  tier,
  confidence: 0.4 + lead / 2,
  runnerUp,
  runnerUpConfidence: 0.4 - lead / 2,
})

describe('[AUTO-05] a score of low confidence at a boundary', () => {
  it.each([
    ['simple', 'standard', 'standard'],
    ['standard', 'complex', 'complex'],
    ['complex', 'reasoning', 'reasoning'],
  ] as const)('takes %s that may be %s one level up', (tier, runnerUp, served) => {
    expect(promoteScore(score(tier, runnerUp, 0.05))).toBe(served)
  })

  it('is taken up by one level only, however high the other tier is', () => {
    expect(promoteScore(score('simple', 'reasoning', 0.05))).toBe('standard')
  })

  it('stays where the lead is clear', () => {
    expect(promoteScore(score('simple', 'standard', 0.15))).toBe('simple')
    expect(promoteScore(score('simple', 'standard', 0.149))).toBe('standard')
  })

  it('stays where the doubt is about a lower tier, or about a subject', () => {
    expect(promoteScore(score('complex', 'standard', 0.01))).toBe('complex')
    expect(promoteScore(score('simple', 'search', 0.01))).toBe('simple')
    expect(promoteScore(score('email', 'calendar', 0.01))).toBe('email')
    expect(promoteScore(score('coding', 'reasoning', 0.01))).toBe('coding')
  })
})
