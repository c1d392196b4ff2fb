import type { SourceFile } from './source-file.ts'
import { type Token, tokenize } from './tokenize.ts'

const known = new WeakMap<SourceFile, readonly Token[]>()

/** The tokens of a file, shared by all rules that read it. */
export function tokensOf(file: SourceFile): readonly Token[] {
  const found = known.get(file)
  if (found !== undefined) return found
  const tokens = tokenize(file.text)
  known.set(file, tokens)
  return tokens
}
