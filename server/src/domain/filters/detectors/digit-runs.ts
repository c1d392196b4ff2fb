import type { Span } from '../text/span.ts'

/** Groups of digits separated by one space or hyphen, as people write numbers. */
export class DigitRun {
  readonly groups: readonly DigitGroup[]
  readonly #text: string

  constructor(text: string, groups: readonly DigitGroup[]) {
    this.#text = text
    this.groups = groups
  }

  spanOf(first: number, last: number): Span {
    const start = this.groups[first]?.start ?? 0
    const { start: lastStart, digits } = this.groups[last] ?? { start, digits: '' }
    return { start, end: lastStart + digits.length }
  }

  /** The lengths of the groups, such as 4-4-4-4. */
  shapeOf(first: number, last: number): string {
    return this.groups
      .slice(first, last + 1)
      .map(({ digits }) => digits.length)
      .join('-')
  }

  isEvenlySeparated(first: number, last: number): boolean {
    const separators = this.groups.slice(first + 1, last + 1).map(({ start }) => this.#text.charAt(start - 1))
    return new Set(separators).size <= 1
  }

  /** Whether the groups are a separate number: not part of a word, a decimal fraction or a longer hyphenated number. */
  standsAlone(first: number, last: number): boolean {
    const { start, end } = this.spanOf(first, last)
    const before = this.#text.slice(Math.max(0, start - 2), start)
    const after = this.#text.slice(end, end + 2)
    const isJoinedByHyphen =
      (first > 0 && before.endsWith('-')) || (last + 1 < this.groups.length && after.startsWith('-'))
    return !isJoinedByHyphen && !joinedBefore.test(before) && !joinedAfter.test(after)
  }
}

interface DigitGroup {
  readonly start: number
  readonly digits: string
}

const joinedBefore = /[\p{Script=Latin}_]$|\d[.,]$/u
const joinedAfter = /^[\p{Script=Latin}_]|^[.,]\d/u
const runPattern = /\d+(?:[ -]\d+)*/g
const groupPattern = /\d+/g

/** Runs of at least `lengthMin` characters, including separators. */
export function digitRuns(text: string, lengthMin: number): DigitRun[] {
  const runs: DigitRun[] = []
  for (const run of text.matchAll(runPattern)) {
    if (run[0].length < lengthMin) continue
    const groups = Array.from(run[0].matchAll(groupPattern), (group) => ({
      start: run.index + group.index,
      digits: group[0],
    }))
    runs.push(new DigitRun(text, groups))
  }
  return runs
}
