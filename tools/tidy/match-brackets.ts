import type { Token } from '../lib/tokenize.ts'

/** Pairs round, square and curly brackets by their positions in the token list. */
export function matchBrackets(tokens: readonly Token[]): Brackets {
  // Arrays are several times faster here than maps, and every file of the tree is processed.
  const partners: (number | undefined)[] = Array.from({ length: tokens.length })
  const parents: (number | undefined)[] = Array.from({ length: tokens.length })
  const open: number[] = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'punctuator') return
    if ('([{'.includes(token.text)) {
      parents[at] = open.at(-1)
      open.push(at)
    } else if (')]}'.includes(token.text)) {
      const partner = open.pop()
      if (partner === undefined) return
      partners[at] = partner
      partners[partner] = at
    }
  })
  return { partnerOf: (at) => partners[at], parentOf: (at) => parents[at] }
}

export type Brackets = {
  partnerOf(at: number): number | undefined
  /** The open bracket that encloses this opening bracket. */
  parentOf(at: number): number | undefined
}
