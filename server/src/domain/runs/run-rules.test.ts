import { describe, expect, it } from 'vitest'
import { isSameRules, noRules, parseRunRules } from './run-rules.ts'

describe('the rules of a run', () => {
  it.each([
    ['calls_per_minute=60', { callsPerMinute: 60, repeats: null }],
    ['repeats=1', { callsPerMinute: null, repeats: 1 }],
    ['calls_per_minute=60,repeats=5', { callsPerMinute: 60, repeats: 5 }],
    [' repeats=10 , calls_per_minute=1000000 ', { callsPerMinute: 1_000_000, repeats: 10 }],
  ])('are read from %j', (header, rules) => {
    expect(parseRunRules(header)).toEqual(rules)
  })

  it.each([
    '',
    'repeats',
    'repeats=',
    'repeats=0',
    'repeats=-1',
    'repeats=1.5',
    'repeats=5x',
    'xrepeats=5',
    'repeats=1000001',
    'repeats=10000000',
    'repeats=1000001,calls_per_minute=1',
    'repeats=1,repeats=2',
    'repeats=1,',
    'repeats=1,loops=2',
    'Repeats=1',
  ])('are refused as %j', (header) => {
    expect(() => parseRunRules(header)).toThrow(
      'The X-Weir-Run-Rules header must be rules such as calls_per_minute=60, repeats=5, each once and from 1 to 1000000.',
    )
  })

  it('are the same if both are', () => {
    expect(noRules).toEqual({ callsPerMinute: null, repeats: null })
    const rules = { callsPerMinute: 1, repeats: 2 }
    expect(isSameRules(rules, { ...rules })).toBe(true)
    expect(isSameRules(rules, { ...rules, repeats: null })).toBe(false)
    expect(isSameRules(rules, { ...rules, callsPerMinute: 2 })).toBe(false)
    expect(isSameRules(rules, noRules)).toBe(false)
  })
})
