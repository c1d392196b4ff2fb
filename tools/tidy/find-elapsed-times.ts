import { hasSequence } from '../lib/has-sequence.ts'
import type { Token } from '../lib/tokenize.ts'
import { createReceiverFinder } from './find-receiver.ts'
import type { Brackets } from './match-brackets.ts'

/**
 * Finds the places where a file computes elapsed time: the minus after `Date.now()` or `performance.now()`, the minus
 * between two names that hold such a time, and every name that receives one. Names are matched without their scope, so
 * this is a guess, good enough to ask for a reason. A time divided by anything but a number is a ratio and no longer a
 * time.
 */
export function findElapsedTimes(tokens: readonly Token[], brackets: Brackets): ReadonlySet<number> {
  const receiversOf = createReceiverFinder(tokens, brackets)
  const clockNames = new Set(tokens.flatMap((_, at) => (isClockCall(tokens, at) ? receiverOfCall(tokens, at) : [])))
  const elapsed = new Set(tokens.flatMap((_, at) => (isDifference(tokens, at, clockNames) ? [at] : [])))
  const names = new Set<string>()
  // The set grows during the iteration.
  for (const at of elapsed) {
    for (const name of hasRatio(tokens, lineAround(tokens, at)) ? [] : receiversOf(at)) {
      if (names.has(name)) continue
      names.add(name)
      tokens.forEach(({ kind, text }, place) => {
        if (kind === 'word' && text === name) elapsed.add(place)
      })
    }
  }
  return elapsed
}

/** Tells whether a value in the range is divided by anything but a number. */
export function hasRatio(tokens: readonly Token[], { start, end }: Range): boolean {
  return tokens
    .slice(start, end)
    .some(({ kind, text }, at) => kind === 'punctuator' && text === '/' && tokens[start + at + 1]?.kind !== 'number')
}

export type Range = { readonly start: number; readonly end: number }

const clocks = ['Date', 'performance'].map((name) => [name, '.', 'now', '(', ')'])
const clockLength = 5

function isClockCall(tokens: readonly Token[], at: number): boolean {
  return clocks.some((clock) => hasSequence(tokens, at, clock))
}

/** `name = Date.now()` and `name: Date.now()`. */
function receiverOfCall(tokens: readonly Token[], at: number): string[] {
  const [name, sign, after] = [tokens[at - 2], tokens[at - 1], tokens[at + clockLength]]
  const isWhole = after === undefined || !['+', '-', '*', '/'].includes(after.text)
  return name?.kind === 'word' && isWhole && ['=', ':'].includes(sign?.text ?? '') ? [name.text] : []
}

function isDifference(tokens: readonly Token[], minus: number, clockNames: ReadonlySet<string>): boolean {
  if (!hasSequence(tokens, minus, ['-']) || tokens[minus + 1]?.kind === 'number') return false
  // `Date.now() / 1_000 - then` is in seconds.
  const end = tokens[minus - 1]?.kind === 'number' && tokens[minus - 2]?.text === '/' ? minus - 2 : minus
  if (isClockCall(tokens, end - clockLength)) return true
  let right = minus + 1
  while (tokens[right + 1]?.text === '.') right += 2
  return clockNames.has(tokens[minus - 1]?.text ?? '') && clockNames.has(tokens[right]?.text ?? '')
}

function lineAround(tokens: readonly Token[], at: number): Range {
  const line = tokens[at]?.line
  let [start, end] = [at, at]
  while (tokens[start - 1]?.line === line && start > 0) start -= 1
  while (tokens[end]?.line === line) end += 1
  return { start, end }
}
