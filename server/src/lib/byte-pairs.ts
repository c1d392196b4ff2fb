import { hashOf, slotCount } from './pack-vocabulary.ts'

/**
 * Counts the tokens of a text by byte-pair encoding, with a packed vocabulary and the pattern that splits a text into
 * words.
 */
export function createBytePairCounter(packed: Uint8Array<ArrayBuffer>, words: RegExp): (text: string) => number {
  const findRank = rankFinder(packed)
  const encoder = new TextEncoder()
  let room = roomFor(1_024)

  function countWord(word: string): number {
    // A character has at most three bytes per UTF-16 unit.
    if (word.length * 3 > room.bytes.length) room = roomFor(word.length * 3)
    const { written } = encoder.encodeInto(word, room.bytes)
    return findRank(room.bytes, 0, written) === noRank ? mergePairs(room, written, findRank) : 1
  }

  return (text) => {
    let count = 0
    for (const [word] of text.matchAll(words)) count += countWord(word)
    return count
  }
}

/** Buffers for merging a word, reused for the next. */
interface Room {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Start of each part of the word, and the end of the last one. */
  readonly starts: Int32Array
  /** Rank of each part together with the next. */
  readonly ranks: Int32Array
}

type FindRank = (bytes: Uint8Array, start: number, end: number) => number

const noRank = 0x7fffffff

function roomFor(length: number): Room {
  return { bytes: new Uint8Array(length), starts: new Int32Array(length + 1), ranks: new Int32Array(length + 1) }
}

/**
 * Merges the two neighbors with the lowest rank until no two neighbors are a token. Returns how many parts are left.
 */
function mergePairs({ bytes, starts, ranks }: Room, length: number, findRank: FindRank): number {
  let parts = length
  const rankAt = (part: number): number =>
    part + 2 > parts ? noRank : findRank(bytes, starts[part] ?? 0, starts[part + 2] ?? 0)
  for (let place = 0; place <= length; place += 1) starts[place] = place
  for (let part = 0; part < length; part += 1) ranks[part] = rankAt(part)
  for (;;) {
    const lowest = lowestOf(ranks, parts)
    if (lowest === -1) return parts
    starts.copyWithin(lowest + 1, lowest + 2, parts + 1)
    ranks.copyWithin(lowest + 1, lowest + 2, parts)
    parts -= 1
    ranks[lowest] = rankAt(lowest)
    if (lowest > 0) ranks[lowest - 1] = rankAt(lowest - 1)
  }
}

/** Index of the first lowest rank, or -1 if there is none. */
function lowestOf(ranks: Int32Array, parts: number): number {
  let found = -1
  let lowest = noRank
  for (let part = 0; part < parts; part += 1) {
    const rank = ranks[part] ?? noRank
    if (rank >= lowest) continue
    lowest = rank
    found = part
  }
  return found
}

function rankFinder(packed: Uint8Array<ArrayBuffer>): FindRank {
  const [count = 0] = new Uint32Array(packed.buffer, packed.byteOffset, 1)
  const offsets = new Uint32Array(packed.buffer, packed.byteOffset + 4, count + 1)
  const slots = new Uint32Array(packed.buffer, packed.byteOffset + 4 * (count + 2), slotCount)
  const pool = packed.subarray(4 * (count + 2 + slotCount))

  function isToken(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = offsets[rank] ?? 0
    if ((offsets[rank + 1] ?? 0) - from !== end - start) return false
    for (let place = 0; place < end - start; place += 1) {
      if (pool[from + place] !== bytes[start + place]) return false
    }
    return true
  }

  return (bytes, start, end) => {
    for (let slot = hashOf(bytes, start, end); ; slot = (slot + 1) & (slotCount - 1)) {
      const entry = slots[slot] ?? 0
      if (entry === 0) return noRank
      if (isToken(entry - 1, bytes, start, end)) return entry - 1
    }
  }
}
