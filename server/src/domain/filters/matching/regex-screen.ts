import { RE2Set } from 're2js'

/**
 * Finds which of several patterns match a text, in one pass. A hundred ordinary patterns over 200 KB take 2 ms this
 * way, and 150 ms one after another. The exception is patterns whose states multiply when combined: a slow screen is
 * dropped, and its patterns are searched separately.
 */
export class RegexScreen {
  readonly #set = new RE2Set()
  readonly #places: readonly number[]
  isOpen = true

  constructor(patterns: readonly ScreenedPattern[]) {
    for (const { pattern, ignoreCase } of patterns) this.#set.add(ignoreCase ? `(?i)${pattern}` : pattern)
    this.#set.compile()
    this.#places = patterns.map(({ place }) => place)
  }

  /** The indexes of the matching patterns. */
  match(text: string): number[] {
    return this.#set.match(text).flatMap((index) => this.#places[index] ?? [])
  }
}

interface ScreenedPattern {
  readonly place: number
  readonly pattern: string
  readonly ignoreCase: boolean
}
