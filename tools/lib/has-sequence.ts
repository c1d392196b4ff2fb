import type { Token } from './tokenize.ts'

/** Tells whether the tokens from `at` on read as `sequence`; words inside strings do not count. */
export function hasSequence(tokens: readonly Token[], at: number, sequence: readonly string[]): boolean {
  return sequence.every((text, offset) => {
    const token = tokens[at + offset]
    return token !== undefined && (token.kind === 'word' || token.kind === 'punctuator') && token.text === text
  })
}
