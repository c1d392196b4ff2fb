import { describe, expect, it } from 'vitest'
import { parseTags, tagIn, tagText } from './tag.ts'

const header = (count: number) => Array.from({ length: count }, (_, index) => `n${index}=v`).join(',')

describe('tags', () => {
  it.each([
    ['team=search', [{ name: 'team', value: 'search' }]],
    [
      ' team=search ,feature=re/write:v1.2',
      [
        { name: 'team', value: 'search' },
        { name: 'feature', value: 're/write:v1.2' },
      ],
    ],
    [`${'n'.repeat(32)}=${'v'.repeat(64)}`, [{ name: 'n'.repeat(32), value: 'v'.repeat(64) }]],
  ])('%j', (header, tags) => {
    expect(parseTags(header)).toEqual(tags)
  })

  it.each([
    '',
    'team',
    'team=',
    '=search',
    'team=a b',
    'team=ü',
    '1=a',
    'team=a,,b=c',
    'team=a,',
    `${'n'.repeat(33)}=v`,
    `n=${'v'.repeat(65)}`,
    'team=a=b',
  ])('%j is invalid', (header) => {
    expect(() => parseTags(header)).toThrow(
      'X-Weir-Tags has an invalid tag. Write tags as name=value. A name has up to 32 letters, digits or characters of _ . - and begins with a letter; a value has up to 64 letters, digits or characters of _ . : @ + ~ / -.',
    )
  })

  it('are at most eight, each name once', () => {
    expect(parseTags(header(8))).toHaveLength(8)
    expect(() => parseTags(header(9))).toThrow('at most 8 tags')
    expect(() => parseTags('team=a, team=b')).toThrow('more than once')
    expect(parseTags('team=a, Team=a')).toHaveLength(2)
  })

  it('are written as they are read', () => {
    expect(tagIn('team=search')).toEqual({ name: 'team', value: 'search' })
    expect(tagIn('team')).toBeNull()
    expect(tagText({ name: 'team', value: 'search' })).toBe('team=search')
  })
})
