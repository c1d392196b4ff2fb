import { describe, expect, it } from 'vitest'
import { setBounded, useRecent } from './set-bounded.ts'

describe('a bounded map', () => {
  it('drops the key that was set longest ago', () => {
    const map = new Map<string, number>()
    for (const [key, value] of Object.entries({ a: 1, b: 2 })) setBounded(map, key, value, 2)
    setBounded(map, 'a', 3, 2)
    setBounded(map, 'c', 4, 2)
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ])
  })

  it('keeps nothing where it may keep nothing', () => {
    const map = new Map<string, number>()
    setBounded(map, 'a', 1, 0)
    expect(map.size).toBe(0)
  })

  it('drops the key longest unused, and makes each value once', () => {
    const map = new Map<string, string>()
    const made: string[] = []
    const use = (key: string) =>
      useRecent(
        map,
        key,
        () => {
          made.push(key)
          return key
        },
        2,
      )
    for (const key of ['a', 'b', 'a', 'c', 'a']) expect(use(key)).toBe(key)
    expect(made).toEqual(['a', 'b', 'c'])
    expect([...map.keys()]).toEqual(['c', 'a'])
  })
})
