import { hasSequence } from '../lib/has-sequence.ts'
import type { Token } from '../lib/tokenize.ts'

const timers = new Set(['setTimeout', 'setInterval', 'scheduler'])

/** The lines on which a file waits: with a timer of its own, or with one of `node:timers/promises` under any name. */
export function findWaits(tokens: readonly Token[]): number[] {
  const imports = findImports(tokens)
  const isImported = (at: number) => imports.some(({ start, end }) => start <= at && at < end)
  const names = new Set(['setTimeout', 'setInterval', ...imports.flatMap(({ names: imported }) => imported)])
  return tokens.flatMap(({ kind, text, line }, at) => {
    // `socket.setTimeout` limits how long a socket may be idle, and `{ setTimeout: 1 }` is an ordinary name.
    const isOwn = tokens[at - 1]?.text !== '.' || hasSequence(tokens, at - 2, ['globalThis'])
    const isKey = tokens[at + 1]?.text === ':' && ['{', ','].includes(tokens[at - 1]?.text ?? '')
    return kind === 'word' && names.has(text) && isOwn && !isKey && !isImported(at) ? [line] : []
  })
}

/**
 * The clauses that import from `node:timers`, and the local names of the timers. `setImmediate` does not count as a
 * wait.
 */
function findImports(tokens: readonly Token[]): { start: number; end: number; names: string[] }[] {
  return tokens.flatMap(({ kind, text }, end) => {
    if (kind !== 'string' || !/^(node:)?timers(\/promises)?$/.test(text) || tokens[end - 1]?.text !== 'from') return []
    let start = end
    while (start > 0 && tokens[start]?.text !== 'import') start -= 1
    const clause = tokens.slice(start + 1, end - 1)
    const names = clause.flatMap((token, at) => {
      if (timers.has(token.text) && clause[at - 1]?.text !== 'as') {
        return [clause[at + 1]?.text === 'as' ? (clause[at + 2]?.text ?? '') : token.text]
      }
      // `import timers from` and `import * as timers from` import all of them.
      const isWhole = at === clause.length - 1 && token.kind === 'word'
      return isWhole ? [token.text] : []
    })
    return [{ start, end, names }]
  })
}
