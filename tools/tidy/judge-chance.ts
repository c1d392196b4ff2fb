import type { Finding } from '../lib/finding.ts'
import { hasSequence } from '../lib/has-sequence.ts'
import { isTest, type SourceFile } from '../lib/source-file.ts'
import type { Token } from '../lib/tokenize.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { findElapsedTimes, hasRatio, type Range } from './find-elapsed-times.ts'
import { findWaits } from './find-waits.ts'
import { isAllowed } from './is-allowed.ts'
import { type Brackets, matchBrackets } from './match-brackets.ts'

/**
 * A test does not depend on the speed of the machine: it waits for events instead of a time, and compares measurements
 * with each other instead of with constants. A comment `// allowed: <reason>` above the line makes an exception.
 */
export function judgeChance(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isTest(path))
    .flatMap((file) => {
      const tokens = tokensOf(file)
      const lines = file.text.split('\n')
      const waits = findWaits(tokens).map((line) => ({ line, message: 'waits for some time; wait for an event' }))
      // Most tests do not read a clock, so they can be skipped.
      const timed = file.text.includes('.now()') ? findBounds(tokens, matchBrackets(tokens)) : []
      const bounds = timed.map((line) => ({
        line,
        message: 'holds an elapsed time against a constant; count, or compare it with another one',
      }))
      return [...waits, ...bounds]
        .filter(({ line }) => !isAllowed(lines, line))
        .map((found) => ({ rule: 'chance', path: file.path, ...found }))
    })
}

/** The lines on which an elapsed time has an upper bound that is not itself an elapsed time. */
function findBounds(tokens: readonly Token[], brackets: Brackets): number[] {
  const elapsed = findElapsedTimes(tokens, brackets)
  if (elapsed.size === 0) return []
  const isTimed = ({ start, end }: Range) => {
    for (let at = start; at < end; at += 1) if (elapsed.has(at)) return true
    return false
  }
  const expected = findExpectations(tokens, brackets).filter(
    ({ subject, bound }) => isTimed(subject) && !hasRatio(tokens, subject) && !isTimed(bound),
  )
  const compared = tokens.flatMap(({ line }, at) => (isCompared(tokens, elapsed, at) ? [line] : []))
  return [...new Set([...expected.map(({ line }) => line), ...compared])].sort((one, other) => one - other)
}

/** `expect(subject).toBeLessThan(bound)` and its equivalents. */
function findExpectations(tokens: readonly Token[], brackets: Brackets): Expectation[] {
  return tokens.flatMap(({ line }, at) => {
    if (!hasSequence(tokens, at, ['expect'])) return []
    const open = hasSequence(tokens, at + 1, ['.', 'soft']) ? at + 3 : at + 1
    const close = tokens[open]?.text === '(' ? brackets.partnerOf(open) : undefined
    if (close === undefined) return []
    const isNegated = hasSequence(tokens, close + 1, ['.', 'not'])
    const matcher = isNegated ? close + 4 : close + 2
    const names = isNegated ? ['toBeGreaterThan', 'toBeGreaterThanOrEqual'] : ['toBeLessThan', 'toBeLessThanOrEqual']
    if (!names.includes(tokens[matcher]?.text ?? '')) return []
    const subject = { start: open + 1, end: endOfArgument(tokens, brackets, open + 1) }
    return [{ line, subject, bound: { start: matcher + 2, end: brackets.partnerOf(matcher + 1) ?? matcher } }]
  })
}

type Expectation = { readonly line: number; readonly subject: Range; readonly bound: Range }

/** The argument after a comma is the failure message. */
function endOfArgument(tokens: readonly Token[], brackets: Brackets, start: number): number {
  let at = start
  while (at < tokens.length && !hasSequence(tokens, at, [',']) && !hasSequence(tokens, at, [')'])) {
    at = (brackets.partnerOf(at) ?? at) + 1
  }
  return at
}

/** `elapsedMs > 500` and `performance.now() - startMs < 500`, also with a name that holds a number. */
function isCompared(tokens: readonly Token[], elapsed: ReadonlySet<number>, at: number): boolean {
  if (!hasSequence(tokens, at, ['<']) && !hasSequence(tokens, at, ['>'])) return false
  const isSubject = elapsed.has(at - 1) || elapsed.has(at - 2)
  const bound = tokens[hasSequence(tokens, at + 1, ['=']) ? at + 2 : at + 1]
  const holdsNumber = (name: string) =>
    tokens.some(
      (token, place) => token.text === name && tokens[place + 1]?.text === '=' && tokens[place + 2]?.kind === 'number',
    )
  return isSubject && (bound?.kind === 'number' || (bound?.kind === 'word' && holdsNumber(bound.text)))
}
