import { describe, expect, it } from 'vitest'
import { TextViews } from '../text/text-views.ts'
import { isKeywordEmpty, keywordFinder } from './keyword-finder.ts'

const bounds = { matchesMax: 1_000, isLate: () => false }

function found(keyword: string, text: string): string[] {
  return keywordFinder(keyword)(new TextViews(text), bounds).spans.map(({ start, end }) => text.slice(start, end))
}

describe('a keyword', () => {
  it.each([
    ['secret', 'The SECRET plan', ['SECRET']],
    ['secret', 'secretary, secrets, mysecret', []],
    ['secret', 'top-secret, (secret) my_secret_key', ['secret', 'secret', 'secret']],
    ['project x', 'Project   X and project\nx', ['Project   X', 'project\nx']],
    ['c++', 'I like C++, not C', ['C++']],
    ['straße', 'STRASSE und Straße', ['STRASSE', 'Straße']],
    ['éclair', 'ÉCLAIR, E\u0301clair', ['ÉCLAIR', 'E\u0301clair']],
    ['eclair', 'éclair', []],
    ['ΟΔΟΣ', 'οδος', ['οδος']],
    ['istanbul', 'İstanbul', ['İstanbul']],
    ['机密', '这是机密文件', ['机密']],
    ['비밀', '비밀번호', ['비밀']],
    ['secret', 's\u200bec\u00adret ｓｅｃｒｅｔ', ['s\u200bec\u00adret', 'ｓｅｃｒｅｔ']],
    ['привет', 'ПРИВЕТ, приветствие', ['ПРИВЕТ']],
    ['😀', 'a😀b', ['😀']],
  ])('%s in %s', (keyword, text, expected) => {
    expect(found(keyword, text).sort()).toEqual([...expected].sort())
  })

  it('stops at as many matches as are wanted', () => {
    const search = keywordFinder('a')(new TextViews('a '.repeat(50)), { matchesMax: 7, isLate: () => false })
    expect(search).toMatchObject({ end: 'full' })
    expect(search.spans).toHaveLength(7)
  })

  it('of nothing that can be seen is none', () => {
    expect(isKeywordEmpty(' \u200b ')).toBe(true)
    expect(isKeywordEmpty(' a ')).toBe(false)
  })
})
