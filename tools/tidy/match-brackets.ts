import type { Token } from '../lib/tokenize.ts'

/** Pairs up round, square and curly brackets by their places in the token list. */
export function matchBrackets(tokens: readonly Token[]): Brackets {
  const partners = new Map<number, number>()
  const parents = new Map<number, number>()
  const open: number[] = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'punctuator') return
    if ('([{'.includes(token.text)) {
      const parent = open.at(-1)
      if (parent !== undefined) parents.set(at, parent)
      open.push(at)
    } else if (')]}'.includes(token.text)) {
      const partner = open.pop()
      if (partner === undefined) return
      partners.set(at, partner)
      partners.set(partner, at)
    }
  })
  return { partnerOf: (at) => partners.get(at), parentOf: (at) => parents.get(at) }
}

export type Brackets = {
  partnerOf(at: number): number | undefined
  /** The bracket that stands open around this opening bracket. */
  parentOf(at: number): number | undefined
}
