import { beforeAll, describe, expect, it } from 'vitest'
import { TextViews } from '../text/text-views.ts'
import { compileRegex } from './compile-regex.ts'
import { hostileTextLength, hostileTexts } from './hostile-texts.ts'
import { type CostVerdict, judgeCost } from './judge-cost.ts'
import { regexFinder } from './regex-finder.ts'

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** An ordinary pattern, and the duration of one search for it on an ordinary machine. */
const yardstick = { pattern: '\\bweir\\s+gate\\b', ms: 25 }

/** The fastest of several searches in this process, which may be slower than an ordinary machine or profiled. */
function measureYardstick(): number {
  const compiled = compileRegex(yardstick.pattern, true)
  if (!compiled.compiled) throw new Error(compiled.reason)
  const find = regexFinder(compiled.regex)
  const text = [...hostileTexts(yardstick.pattern)][9] ?? ''
  const times = Array.from({ length: 8 }, () => {
    const startMs = cpuMs()
    find(new TextViews(text), { matchesMax: 1_000, isLate: () => false })
    return cpuMs() - startMs
  })
  return Math.min(...times)
}

/** Patterns are measured relative to the yardstick, so the speed of the machine does not matter. */
let speed = 1
beforeAll(() => {
  speed = yardstick.ms / measureYardstick()
})

const judge = (pattern: string): CostVerdict =>
  judgeCost({ kind: 'regex', pattern, ignoreCase: true }, () => cpuMs() * speed)

/**
 * Other processes and the compiler can slow down the pattern or the yardstick, so one verdict proves nothing: the
 * expected verdict must appear in some round.
 */
function judgeUntil(isAccepted: boolean, pattern: string): CostVerdict {
  let verdict = judge(pattern)
  for (let round = 1; round < 10 && verdict.accepted !== isAccepted; round += 1) {
    speed = yardstick.ms / measureYardstick()
    verdict = judge(pattern)
  }
  return verdict
}

describe('the cost of a rule', () => {
  it.each(['\\bproject\\s+apollo\\b', 'EMP-\\d{4,6}', '[a-z]+@corp\\.example', '(?:password|secret)\\s*[:=]\\s*\\S+'])(
    'accepts %s',
    (pattern) => {
      expect(judgeUntil(true, pattern)).toEqual({ accepted: true })
    },
  )

  it.each(['a.*z|a', 'a[ab]{30}x', '(?:a?){50}a{50}'])('refuses %s, which is linear and slow', (pattern) => {
    expect(judgeUntil(false, pattern)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('too slow'),
    })
  })

  it('refuses what is found everywhere, and what is no pattern, with a reason', () => {
    expect(judge('(?:a|b)*')).toMatchObject({ accepted: false, reason: expect.stringContaining('empty') })
    expect(judge('(')).toMatchObject({ accepted: false, reason: expect.stringContaining('unclosed parenthesis') })
    expect(judgeCost({ kind: 'keyword', keyword: '\u200b' }, cpuMs)).toMatchObject({ accepted: false })
  })

  it('asks nothing of keywords and templates', () => {
    expect(judgeCost({ kind: 'keyword', keyword: 'a' }, cpuMs)).toEqual({ accepted: true })
    expect(judgeCost({ kind: 'template', template: 'iban' }, cpuMs)).toEqual({ accepted: true })
  })

  it('asks a pattern twice before it is called slow, because a first run also pays for what is only done once', () => {
    let looks = 0
    const slowAtFirst = () => ((looks += 1) === 1 ? 0 : 1_000)
    expect(judgeCost({ kind: 'regex', pattern: 'abc', ignoreCase: false }, slowAtFirst)).toEqual({ accepted: true })
  })

  it('gives up on a pattern as soon as its time is over, by the clock that it is given', () => {
    let now = 0
    expect(judgeCost({ kind: 'regex', pattern: 'a', ignoreCase: false }, () => (now += 100))).toMatchObject({
      accepted: false,
    })
  })
})

it('texts made against a pattern are long, of its own letters, and the same every time', () => {
  const [first, second, ...rest] = [...hostileTexts('ab[xy]+\\d')]
  expect(first).toBe('a'.repeat(hostileTextLength))
  expect(second?.endsWith('ab xy')).toBe(true)
  expect(rest.length).toBeGreaterThan(15)
  expect([...hostileTexts('ab[xy]+\\d')].slice(2)).toEqual(rest)
})
