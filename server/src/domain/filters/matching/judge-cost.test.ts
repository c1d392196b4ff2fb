import { describe, expect, it } from 'vitest'
import { hostileTextLength, hostileTexts } from './hostile-texts.ts'
import { judgeCost } from './judge-cost.ts'

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
const judge = (pattern: string) => judgeCost({ kind: 'regex', pattern, ignoreCase: true }, cpuMs)

describe('the cost of a rule', () => {
  it.each(['\\bproject\\s+apollo\\b', 'EMP-\\d{4,6}', '[a-z]+@corp\\.example', '(?:password|secret)\\s*[:=]\\s*\\S+'])(
    'accepts %s',
    (pattern) => {
      expect(judge(pattern)).toEqual({ accepted: true })
    },
  )

  it.each(['a.*z|a', 'a[ab]{30}x', '(?:a?){50}a{50}'])('refuses %s, which is linear and slow', (pattern) => {
    expect(judge(pattern)).toMatchObject({ accepted: false, reason: expect.stringContaining('too slow') })
  })

  it('refuses what is found everywhere, and what is no pattern, with a reason', () => {
    expect(judge('(?:a|b)*')).toMatchObject({ accepted: false, reason: expect.stringContaining('empty') })
    expect(judge('(')).toMatchObject({ accepted: false, reason: expect.stringContaining('never closed') })
    expect(judgeCost({ kind: 'keyword', keyword: '\u200b' }, cpuMs)).toMatchObject({ accepted: false })
  })

  it('asks nothing of keywords and templates', () => {
    expect(judgeCost({ kind: 'keyword', keyword: 'a' }, cpuMs)).toEqual({ accepted: true })
    expect(judgeCost({ kind: 'template', template: 'iban' }, cpuMs)).toEqual({ accepted: true })
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
