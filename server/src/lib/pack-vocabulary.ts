import { assert } from './assert.ts'

/** A token as the vocabulary writes it: a string, or bytes that are not valid text. Its index is its rank. */
type VocabularyToken = string | readonly number[]

/**
 * A vocabulary packed into one block of bytes, which takes 4 MB instead of 75 MB for maps of strings, and is loaded
 * with a single read. In words of four bytes, each in the byte order of the machine that wrote it:
 *
 *   - how many tokens there are
 *   - for each token where its bytes begin in the last part, and once more where they end
 *   - a hash table of ranks, each one higher than it is; 0 is an empty slot
 *
 * and then the bytes of all tokens, in rank order.
 */
export function packVocabulary(tokens: readonly (VocabularyToken | undefined)[]): Uint8Array<ArrayBuffer> {
  const texts = tokens.map((token) => (typeof token === 'string' ? Buffer.from(token) : Uint8Array.from(token ?? [])))
  const size = texts.reduce((sum, { length }) => sum + length, 0)
  const head = 1 + tokens.length + 1 + slotCount
  const packed = new Uint8Array(head * 4 + size)
  const words = new Uint32Array(packed.buffer, 0, head)
  words[0] = tokens.length
  let end = 0
  for (const [rank, bytes] of texts.entries()) {
    packed.set(bytes, head * 4 + end)
    words[1 + rank] = end
    end += bytes.length
    if (bytes.length > 0) words[freeSlot(words, 1 + tokens.length + 1, hashOf(bytes, 0, bytes.length))] = rank + 1
  }
  words[1 + tokens.length] = end
  return packed
}

/** 200,000 tokens leave three of five slots empty, so a search rarely takes more than two steps. */
export const slotCount = 524_288

/** Hash of a byte range (FNV-1a, with its upper bits mixed in). */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let place = start; place < end; place += 1) hash = Math.imul(hash ^ (bytes[place] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) & (slotCount - 1)
}

function freeSlot(words: Uint32Array, table: number, hash: number): number {
  for (let step = 0; step < slotCount; step += 1) {
    const place = table + ((hash + step) & (slotCount - 1))
    if (words[place] === 0) return place
  }
  assert(false, 'the vocabulary has fewer tokens than slots')
}
