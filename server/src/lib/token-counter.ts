import { createBytePairCounter } from './byte-pairs.ts'

/** Counts the tokens of a short text. */
export type TokenCounter = (text: string) => number

let loaded: TokenCounter | null = null

/** The counter of this process, or null before it is loaded. */
export function tokenCounter(): TokenCounter | null {
  return loaded
}

/**
 * Loads the counter of this process: 4 MB, once, before a process takes requests. Commands and most tests do not load
 * it; estimates then use bytes.
 */
export async function loadTokenCounter(): Promise<void> {
  loaded ??= await createTokenCounter()
}

/** A token counter for `o200k_base`. */
export async function createTokenCounter(): Promise<TokenCounter> {
  const { O200K_TOKEN_SPLIT_REGEX } = await import('gpt-tokenizer/encodingParams/constants')
  const { readVocabulary } = await import('./read-vocabulary.ts')
  const count = createBytePairCounter(await readVocabulary(), O200K_TOKEN_SPLIT_REGEX)
  warmUp(count)
  return count
}

// Cold code takes ten times as long, so the first clients would have to wait.
function warmUp(count: TokenCounter): void {
  for (let round = 0; round < warmUpRounds; round += 1) {
    count(Array.from({ length: 64 }, (_, index) => String.fromCharCode(97 + ((index * 17 + round * 7) % 26))).join(''))
  }
}

const warmUpRounds = 300
