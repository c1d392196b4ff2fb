import { describe, expect, it } from 'vitest'
import { createConceptScan } from './concept-scan.ts'
import { foldCharacter } from './fold-character.ts'
import { concepts, type Lexicon } from './lexicon/concepts.ts'

// No word contains a tilde.
const lexicon: Lexicon = {
  greeting: '~',
  fact: '~',
  explain: 'erklär*, in simple terms',
  compose: '~',
  depth: '~',
  proof: '~',
  code: 'c++, type',
  picture: '图片',
  draw: '~',
  look: '~',
  video: '~',
  data: '~',
  web: '~',
  recent: '~',
  social: '~',
  email: '~',
  calendar: '~',
  clock: '~',
  trading: '~',
  make: '~',
}
const scan = createConceptScan([lexicon])

function found(text: string): Record<string, number> {
  const folded = Uint16Array.from(text, (character) => foldCharacter(character.charCodeAt(0)))
  const counts = scan(folded, folded.length)
  return Object.fromEntries(
    concepts.map((name, index) => [name, counts[index] ?? 0]).filter(([, count]) => count !== 0),
  )
}

describe('words of concepts', () => {
  it('are found whole, by their stem, and over several words', () => {
    expect(found('Type the type, but not typed or prototype')).toEqual({ code: 2 })
    expect(found('Erklärung, in simple terms; terms are not simple')).toEqual({ explain: 2 })
  })

  it('are found whatever their accents and case, and next to signs', () => {
    expect(found('ERKLARE (C++)')).toEqual({ explain: 1, code: 1 })
  })

  it('are found within a run of characters where words have no blanks between them', () => {
    expect(found('请生成一张图片吧，图片')).toEqual({ picture: 2 })
    expect(found('')).toEqual({})
  })
})
