/** A repeatable random generator: the same seed gives the same numbers. */
export interface Random {
  /** A whole number, both ends included. */
  integer(from: number, to: number): number
  pick<T>(choices: readonly T[]): T
  chance(probability: number): boolean
  shuffle<T>(items: readonly T[]): T[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  // Mulberry32: small, fast, and good enough for choosing where to strike.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return {
    integer,
    pick: (choices) => {
      const choice = choices[integer(0, choices.length - 1)]
      if (choice === undefined) throw new Error('there is nothing to pick from')
      return choice
    },
    chance: (probability) => next() < probability,
    shuffle: (items) =>
      items
        .map((item) => ({ item, rank: next() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ item }) => item),
  }
}

/** A seed per drill, so that a drill alone strikes at the same points as among the others. */
export function seedFor(seed: number, name: string): number {
  let mixed = seed >>> 0
  for (const letter of name) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return mixed
}
