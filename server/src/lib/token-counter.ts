/** Counts the tokens of a short text. */
export type TokenCounter = (text: string) => number

let loaded: TokenCounter | null = null

/** The counter of this process, or null before it is loaded. */
export function tokenCounter(): TokenCounter | null {
  return loaded
}

/**
 * Loads the counter of this process: half a second of work and 75 MB, so it is called once, before a process takes requests.
 * Commands and most tests do without; estimates then fall back on bytes.
 */
export async function loadTokenCounter(): Promise<void> {
  loaded ??= await createTokenCounter()
}

/** A counter with the vocabulary of `o200k_base`. */
export async function createTokenCounter(): Promise<TokenCounter> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base')
  // Words that return are looked up; a hundred thousand of them, as by default, would be 20 MB of clients' texts.
  setMergeCacheSize(wordsKept)
  const count: TokenCounter = (text) => countTokens(text, asPlainText)
  warmUp(count)
  return count
}

const wordsKept = 5_000

// Code that was never run takes ten times as long, and the first clients would wait for it.
function warmUp(count: TokenCounter): void {
  for (let round = 0; round < warmUpRounds; round += 1) {
    count(Array.from({ length: 64 }, (_, index) => String.fromCharCode(97 + ((index * 17 + round * 7) % 26))).join(''))
  }
}

const warmUpRounds = 300

// What reads like a control token is text like any other; by default it would throw.
const asPlainText = { disallowedSpecial: new Set<string>() }
