/**
 * A normalized text as a reader sees it, with the origin of each unit: compatibility forms become plain (NFKC:
 * full-width letters, ligatures, mathematical alphabets) and invisible characters are removed.
 */
export interface FoldedText {
  readonly text: string
  /** Both are null if nothing changed, so that all positions are the same. */
  readonly starts: Uint32Array | null
  readonly ends: Uint32Array | null
}

export function foldText(original: string): FoldedText {
  return isPlain(original) ? { text: original, starts: null, ends: null } : foldClusters(original)
}

/** More combining marks than this start a new letter, because sorting a long run takes quadratic time. */
const marksMax = 30
const longMarks = /\p{M}{31}/u
const beyondAscii = /\P{ASCII}/u

function isPlain(original: string): boolean {
  if (!beyondAscii.test(original)) return true
  return !invisiblePattern.test(original) && !longMarks.test(original) && original.normalize('NFKC') === original
}

/** Normalizes letter by letter, each with its marks, so that all positions stay known. */
function foldClusters(original: string): FoldedText {
  const folding = new Folding(original.length)
  const known = new Map<string, string>()
  let wasTag = false
  let at = 0
  while (at < original.length) {
    const plainEnd = endOfPlainRun(original, at)
    if (plainEnd > at) {
      folding.copy(original, at, plainEnd)
      wasTag = false
      at = plainEnd
      continue
    }
    const end = endOfCluster(original, at)
    const cluster = original.slice(at, end)
    const folded = known.get(cluster) ?? foldCluster(cluster)
    if (known.size < 4_096) known.set(cluster, folded)
    // Text in invisible letters is a separate text, not the end of the preceding word.
    const isTag = invisibleLetter.test(cluster)
    folding.add(isTag && !wasTag ? ` ${folded}` : folded, at, end)
    wasTag = isTag
    at = end
  }
  return folding.end()
}

/** A growing text with the origins of its units. */
class Folding {
  readonly #parts: string[] = []
  #starts: Uint32Array
  #ends: Uint32Array
  #length = 0

  constructor(lengthExpected: number) {
    this.#starts = new Uint32Array(lengthExpected + 64)
    this.#ends = new Uint32Array(lengthExpected + 64)
  }

  copy(original: string, start: number, end: number): void {
    this.#parts.push(original.slice(start, end))
    this.#makeRoom(end - start)
    for (let at = start; at < end; at += 1) this.#place(at, at + 1)
  }

  add(folded: string, start: number, end: number): void {
    this.#parts.push(folded)
    this.#makeRoom(folded.length)
    for (let unit = 0; unit < folded.length; unit += 1) this.#place(start, end)
  }

  end(): FoldedText {
    const starts = this.#starts.subarray(0, this.#length)
    return { text: this.#parts.join(''), starts, ends: this.#ends.subarray(0, this.#length) }
  }

  #place(start: number, end: number): void {
    this.#starts[this.#length] = start
    this.#ends[this.#length] = end
    this.#length += 1
  }

  #makeRoom(count: number): void {
    if (this.#length + count <= this.#starts.length) return
    this.#starts = grown(this.#starts, count)
    this.#ends = grown(this.#ends, count)
  }
}

function grown(places: Uint32Array, count: number): Uint32Array {
  const larger = new Uint32Array(places.length * 2 + count)
  larger.set(places)
  return larger
}

/**
 * The end of an ASCII run. Its last letter is excluded if a combining mark may follow it, and is left for
 * normalization.
 */
function endOfPlainRun(original: string, start: number): number {
  let at = start
  while (at < original.length && original.charCodeAt(at) < 0x80) at += 1
  return at < original.length && at > start && original.charCodeAt(at) >= 0x300 ? at - 1 : at
}

/** One Arabic ligature expands to a sentence of 18 letters; a text that grows this much is left unchanged. */
const growthMax = 4

function foldCluster(cluster: string): string {
  const folded = visibleOf(cluster).normalize('NFKC')
  return folded.length > growthMax * cluster.length ? cluster : folded
}

/** Marks, zero-width characters, and the vowels and finals of a Korean syllable. */
const continuing = /^[\p{M}\u200b-\u200f\u2060-\u2064\ufeff\u1160-\u11ff]/u

function endOfCluster(original: string, start: number): number {
  let at = start + unitsAt(original, start)
  for (let marks = 0; marks < marksMax && at < original.length; marks += 1) {
    // Nothing below U+0300 joins the preceding letter.
    if (original.charCodeAt(at) < 0x300) return at
    const units = unitsAt(original, at)
    if (!continuing.test(original.slice(at, at + units))) return at
    at += units
  }
  return at
}

function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

/** Invisible characters: zero-width spaces and joiners, soft hyphens, direction marks, variation selectors. */
const invisiblePattern = /\p{Default_Ignorable_Code_Point}/u

/** The invisible twin of an ASCII character. */
const invisibleLetter = /^[\u{e0020}-\u{e007e}]/u

const everyInvisible = /\p{Default_Ignorable_Code_Point}/gu
const tagOffset = 0xe0000

/**
 * Removes invisible characters. The invisible twins of ASCII characters (tags) become the characters they stand for,
 * because models read them and attackers hide instructions in them.
 */
function visibleOf(text: string): string {
  return text.replaceAll(everyInvisible, (character) => {
    const twin = (character.codePointAt(0) ?? 0) - tagOffset
    return twin >= 0x20 && twin < 0x7f ? String.fromCharCode(twin) : ''
  })
}
