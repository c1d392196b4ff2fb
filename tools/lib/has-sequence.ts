import type { Token } from './tokenize.ts'

/** Tells whether the tokens from `at` on equal `sequence`. Words inside strings do not count. */
export function hasSequence(tokens: readonly Token[], at: number, sequence: readonly string[]): boolean {
  for (let offset = 0; offset < sequence.length; offset += 1) {
    const token = tokens[at + offset]
    if (token === undefined || token.text !== sequence[offset]) return false
    if (token.kind !== 'word' && token.kind !== 'punctuator') return false
  }
  return true
}
