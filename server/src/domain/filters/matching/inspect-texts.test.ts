import { describe, expect, it } from 'vitest'
import type { FilterAction, FilterMatcher } from '../filter-rule.ts'
import { redactText } from '../text/redact-text.ts'
import { inspectTexts } from './inspect-texts.ts'
import { RuleSet } from './rule-set.ts'

const unhurried = { nowMs: () => 0, untilMs: 1, mayScreen: true }
const keyword = (word: string): FilterMatcher => ({ kind: 'keyword', keyword: word })
const regex = (pattern: string): FilterMatcher => ({ kind: 'regex', pattern, ignoreCase: false })

function ruleSet(...rules: [FilterAction, FilterMatcher][]): RuleSet {
  return new RuleSet(rules.map(([action, matcher]) => ({ action, matcher })))
}

/** A clock that advances by one at each read. */
function ticking(untilMs: number) {
  let now = 0
  return { nowMs: () => (now += 1), untilMs, mayScreen: true }
}

describe('an inspection', () => {
  it('names the rules that found something, in their order, with the text and the place', () => {
    const set = ruleSet(['flag', keyword('b')], ['block', keyword('x')], ['block', keyword('a')])
    expect(inspectTexts(set, ['a b', 'b'], unhurried).findings).toEqual([
      {
        place: 0,
        matches: [
          { text: 0, start: 2, end: 3 },
          { text: 1, start: 0, end: 1 },
        ],
        timedOut: false,
      },
      { place: 2, matches: [{ text: 0, start: 0, end: 1 }], timedOut: false },
    ])
  })

  it('[FILTER-02] joins what several redact rules take out of one place, and leaves what others find', () => {
    const set = ruleSet(['redact', regex('abc')], ['redact', regex('bcd')], ['flag', regex('e')])
    const { redactions } = inspectTexts(set, ['xabcde'], unhurried)
    expect(redactText('xabcde', redactions[0] ?? [])).toBe('x[REDACTED]e')
  })

  it('runs rules that refuse before all others, so that they are late last', () => {
    const set = ruleSet(['flag', keyword('a')], ['redact', keyword('a')], ['block', keyword('a')])
    const { findings } = inspectTexts(set, ['a'], ticking(6))
    expect(findings.find(({ place }) => place === 2)).toMatchObject({ timedOut: false, matches: [{ start: 0 }] })
    expect(findings.find(({ place }) => place === 0)).toEqual({ place: 0, matches: [], timedOut: true })
  })

  it('says of a rule that it was late, whether or not it had found something', () => {
    const set = ruleSet(['block', keyword('a')], ['block', keyword('b')])
    expect(inspectTexts(set, ['a b'], { ...unhurried, untilMs: 0 }).findings).toEqual([
      { place: 0, matches: [], timedOut: true },
      { place: 1, matches: [], timedOut: true },
    ])
  })

  it('counts a rule that cannot be compiled as one that was late', () => {
    expect(inspectTexts(ruleSet(['block', regex('(')]), ['a'], unhurried).findings).toEqual([
      { place: 0, matches: [], timedOut: true },
    ])
  })

  it('reports at most 1,000 matches of a rule, and takes every one out', () => {
    const text = 'a '.repeat(3_000)
    const { findings, redactions } = inspectTexts(ruleSet(['redact', regex('a')]), [text], unhurried)
    expect(findings[0]?.matches).toHaveLength(1_000)
    expect(redactText(text, redactions[0] ?? [])).not.toContain('a')
  })

  it('replaces a text as a whole that has more matches than can be counted', () => {
    const text = 'a '.repeat(60_000)
    const { redactions } = inspectTexts(ruleSet(['redact', regex('a')]), [text], unhurried)
    expect(redactText(text, redactions[0] ?? [])).toBe('[REDACTED]')
  })

  it('says what is known before it looks for a pattern in a long text', () => {
    const set = ruleSet(['flag', regex('c+')], ['block', keyword('a')], ['block', keyword('b')])
    const reports: unknown[] = []
    inspectTexts(set, [`a ${'x'.repeat(60_000)}`], {
      ...unhurried,
      onProgress: (soFar) => reports.push(soFar.findings),
    })
    expect(reports).toEqual([
      [
        { place: 0, matches: [], timedOut: true },
        { place: 1, matches: [{ text: 0, start: 0, end: 1 }], timedOut: false },
      ],
    ])
  })

  it('finds the same with patterns screened together and one by one', () => {
    const patterns = Array.from({ length: 45 }, (_, at) => `k${at}\\b|[a-c]{${(at % 3) + 1}}${at}`)
    const rules = patterns.map((pattern): [FilterAction, FilterMatcher] => ['flag', regex(pattern)])
    const texts = ['k1 k44 abc2 zz', 'ab７ k\u200b9', 'nothing', '']
    const together = inspectTexts(ruleSet(...rules), texts, unhurried).findings
    expect(together).toEqual(inspectTexts(ruleSet(...rules), texts, { ...unhurried, mayScreen: false }).findings)
    expect(together.map(({ place }) => place)).toContain(44)
  })

  it('goes on without a screen when one of its patterns is no good', () => {
    const set = ruleSet(
      ...['a', '(', 'b', 'c', 'd'].map((pattern): [FilterAction, FilterMatcher] => ['flag', regex(pattern)]),
    )
    expect(inspectTexts(set, ['abc'], unhurried).findings.map(({ place }) => place)).toEqual([0, 1, 2, 3])
  })
})
