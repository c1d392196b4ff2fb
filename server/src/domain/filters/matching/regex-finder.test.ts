import { describe, expect, it } from 'vitest'
import { TextViews } from '../text/text-views.ts'
import { compileRegex } from './compile-regex.ts'
import { regexFinder } from './regex-finder.ts'

const bounds = { matchesMax: 1_000, isLate: () => false }

function finderOf(pattern: string, ignoreCase = false) {
  const compiled = compileRegex(pattern, ignoreCase)
  if (!compiled.compiled) throw new Error(compiled.reason)
  return regexFinder(compiled.regex)
}

function found(pattern: string, text: string, ignoreCase = false): string[] {
  const { spans } = finderOf(pattern, ignoreCase)(new TextViews(text), bounds)
  return spans.map(({ start, end }) => text.slice(start, end))
}

describe('a pattern', () => {
  it('[FILTER-04] finds what it matches, where it stands', () => {
    expect(found('EMP-\\d{4}', 'EMP-1234 and EMP-99 and EMP-5678')).toEqual(['EMP-1234', 'EMP-5678'])
    expect(found('emp-\\d+', 'Emp-1', true)).toEqual(['Emp-1'])
    expect(found('emp-\\d+', 'Emp-1')).toEqual([])
  })

  it('counts UTF-16 units and whole characters', () => {
    const { spans } = finderOf('b+')(new TextViews('😀😀bb'), bounds)
    expect(spans).toEqual([{ start: 4, end: 6 }])
    expect(found('.', '😀')).toEqual(['😀'])
  })

  it('sees a text as written, and as it reads', () => {
    expect(found('secret', 's\u200becret')).toEqual(['s\u200becret'])
    expect(found('[０-９]+', 'ab １２')).toEqual(['１２'])
  })

  it('does not count matches of nothing', () => {
    expect(found('x*', 'aaxxa')).toEqual(['xx'])
  })

  it('stops when it is late', () => {
    let looks = 0
    const search = finderOf('a')(new TextViews('a'.repeat(100)), { matchesMax: 1_000, isLate: () => (looks += 1) > 5 })
    expect(search.end).toBe('late')
    expect(search.spans).toHaveLength(6)
  })
})

describe('a pattern that is none', () => {
  it.each([
    ['(a', /unclosed parenthesis/],
    ['a)', /unmatched closing parenthesis/],
    ['[a', /unclosed bracket/],
    ['a**', /has a nested repetition operator/],
    ['*a', /with nothing before it/],
    ['a{1001}', /more than 1,000 times/],
    ['(?=a)', /such as lookahead or lookbehind/],
    ['(?<!a)b', /such as lookahead or lookbehind|named group/],
    ['(a)\\1', /backreferences are not supported/],
    ['a\\', /ends in a backslash/],
    ['[z-a]', /invalid range in brackets/],
    ['(?P<n>a)(?P<n>b)', /uses the same group name twice/],
    ['(?:a{100}){10}b{1000}c{1000}d{1000}', /too large/],
  ])('%s is explained', (pattern, reason) => {
    expect(compileRegex(pattern, false)).toMatchObject({ compiled: false, reason: expect.stringMatching(reason) })
  })
})
