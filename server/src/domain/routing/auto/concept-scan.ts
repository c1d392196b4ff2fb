import { assert } from '#lib/assert.ts'
import { foldCharacter, isIdeographic, isWordCharacter } from './fold-character.ts'
import { type Concept, concepts, type Lexicon } from './lexicon/concepts.ts'

/** Counts the words of each concept in a folded text, in the order of the concepts. */
type ConceptScan = (text: Uint16Array, length: number) => Uint16Array

/**
 * Builds a trie of all words. The search is one walk from each start of a word (from each character in scripts without
 * spaces), so the time depends on the text and not on the number of words.
 */
export function createConceptScan(lexicons: readonly Lexicon[]): ConceptScan {
  const tree = new WordTree()
  for (const lexicon of lexicons) {
    concepts.forEach((concept, index) => {
      for (const word of wordsOf(lexicon, concept)) tree.add(word, 1 << index)
    })
  }
  const find = tree.freeze()
  return (text, length) => {
    const counts = new Uint16Array(concepts.length)
    let follows = false
    for (let at = 0; at < length; at += 1) {
      const code = text[at] ?? 0
      const isWord = isWordCharacter(code)
      if (isWord && (!follows || isIdeographic(code))) note(counts, find(text, at, length))
      follows = isWord && !isIdeographic(code)
    }
    return counts
  }
}

function wordsOf(lexicon: Lexicon, concept: Concept): string[] {
  return lexicon[concept].split(',').map((word) => word.trim().replaceAll(/\s+/g, ' '))
}

function note(counts: Uint16Array, found: number): void {
  for (let left = found; left !== 0; left &= left - 1) {
    const index = 31 - Math.clz32(left & -left)
    counts[index] = (counts[index] ?? 0) + 1
  }
}

/** The concepts that have a word beginning at this position, as bits. */
type Find = (text: Uint16Array, from: number, length: number) => number

class WordTree {
  readonly #nodes: Map<number, number>[] = [new Map()]
  readonly #whole: number[] = [0]
  readonly #stems: number[] = [0]

  add(word: string, bit: number): void {
    const hasStar = word.endsWith('*')
    let node = 0
    let code = 0
    for (const character of hasStar ? word.slice(0, -1) : word) {
      code = foldCharacter(character.charCodeAt(0))
      node = this.#nodes[node]?.get(code) ?? this.#grow(node, code)
    }
    const marks = hasStar || isIdeographic(code) ? this.#stems : this.#whole
    marks[node] = (marks[node] ?? 0) | bit
  }

  #grow(from: number, code: number): number {
    const node = this.#nodes.push(new Map()) - 1
    this.#nodes[from]?.set(code, node)
    this.#whole.push(0)
    this.#stems.push(0)
    return node
  }

  /**
   * The edges of the trie in one hash table, probed from the hash of node and character. An edge's key is the node in
   * the upper half and the character in the lower; no edge has the key 0.
   */
  freeze(): Find {
    assert(this.#nodes.length <= 0xffff, 'a node fits into half a key')
    const sizeBits = Math.ceil(Math.log2(this.#nodes.length)) + 2
    const mask = 2 ** sizeBits - 1
    const shift = 32 - sizeBits
    const keys = new Int32Array(mask + 1)
    const targets = new Int32Array(mask + 1)
    this.#nodes.forEach((steps, node) => {
      for (const [code, target] of steps) {
        const key = (node << 16) | code
        let slot = Math.imul(key, multiplier) >>> shift
        while (keys[slot] !== 0) slot = (slot + 1) & mask
        keys[slot] = key
        targets[slot] = target
      }
    })
    const whole = Int32Array.from(this.#whole)
    const stems = Int32Array.from(this.#stems)
    return (text, from, length) => {
      let found = 0
      let node = 0
      for (let at = from; at < length; at += 1) {
        const key = (node << 16) | (text[at] ?? 0)
        let slot = Math.imul(key, multiplier) >>> shift
        while (keys[slot] !== key) {
          if (keys[slot] === 0) return found
          slot = (slot + 1) & mask
        }
        node = targets[slot] ?? 0
        found |= stems[node] ?? 0
        const ending = whole[node] ?? 0
        if (ending !== 0 && (at + 1 === length || !isWordCharacter(text[at + 1] ?? 0))) found |= ending
      }
      return found
    }
  }
}

// Spreads keys that differ in few bits (Fibonacci hashing).
const multiplier = 0x9e3779b1
