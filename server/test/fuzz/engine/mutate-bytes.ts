import type { Random } from '#test/drills/setup/random.ts'
import { nastyNumbers } from './nasty-words.ts'

/** The material for mutations. */
export interface Matter {
  readonly random: Random
  /** Returns another input from which to take a piece. */
  other(): Buffer
  /** Returns a meaningful word for the target, or for parsers in general. */
  word(): string
  /** The maximum size of an input. */
  readonly bytesMax: number
}

/** Changes an input somewhere, regardless of its meaning. */
export function mutateBytes(input: Buffer, matter: Matter): Buffer {
  const { random } = matter
  let bytes = input
  for (let turn = random.pick([1, 1, 1, 2, 2, 4]); turn > 0; turn -= 1) bytes = random.pick(mutations)(bytes, matter)
  return bytes.length > matter.bytesMax ? bytes.subarray(0, matter.bytesMax) : bytes
}

type Mutation = (bytes: Buffer, matter: Matter) => Buffer

const edgeBytes = [0, 9, 10, 13, 32, 34, 39, 44, 45, 47, 58, 59, 61, 91, 92, 93, 123, 125, 127, 128, 192, 237, 239, 255]

const mutations: readonly Mutation[] = [
  flipBit,
  setByte,
  insertByte,
  insertWord,
  insertWord,
  overwriteWithWord,
  removePiece,
  removePiece,
  repeatPiece,
  insertRun,
  movePiece,
  splice,
  insertFromOther,
  cutOff,
  changeNumber,
  swapCase,
]

function flipBit(bytes: Buffer, { random }: Matter): Buffer {
  return change(bytes, random, (byte) => byte ^ (1 << random.integer(0, 7)))
}

function setByte(bytes: Buffer, { random }: Matter): Buffer {
  return change(bytes, random, () => (random.chance(0.5) ? random.pick(edgeBytes) : random.integer(0, 255)))
}

function swapCase(bytes: Buffer, { random }: Matter): Buffer {
  return change(bytes, random, (byte) => byte ^ 0x20)
}

function change(bytes: Buffer, random: Random, to: (byte: number) => number): Buffer {
  if (bytes.length === 0) return bytes
  const changed = Buffer.from(bytes)
  const at = random.integer(0, changed.length - 1)
  changed[at] = to(changed[at] ?? 0)
  return changed
}

function insertByte(bytes: Buffer, { random }: Matter): Buffer {
  return insert(bytes, random, Buffer.of(random.pick(edgeBytes)))
}

function insertWord(bytes: Buffer, { random, word }: Matter): Buffer {
  return insert(bytes, random, Buffer.from(word()))
}

function overwriteWithWord(bytes: Buffer, { random, word }: Matter): Buffer {
  const [start, end] = pieceOf(bytes, random)
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(word()), bytes.subarray(end)])
}

function removePiece(bytes: Buffer, { random }: Matter): Buffer {
  const [start, end] = pieceOf(bytes, random)
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
}

// Rarely many times, because large inputs take long; they reveal superlinear work.
function repeatPiece(bytes: Buffer, { random, bytesMax }: Matter): Buffer {
  const [start, end] = pieceOf(bytes, random)
  if (start === end) return bytes
  const most = Math.max(1, Math.floor((bytesMax - bytes.length) / (end - start)))
  const times = random.chance(0.01) ? most : Math.min(most, random.pick([1, 1, 2, 3, 8, 65]))
  const piece = bytes.subarray(start, end)
  return Buffer.concat([bytes.subarray(0, end), ...Array.from({ length: times }, () => piece), bytes.subarray(end)])
}

/** A long run of one character, such as blanks, makes patterns backtrack. */
function insertRun(bytes: Buffer, { random, bytesMax }: Matter): Buffer {
  const most = Math.max(1, bytesMax - bytes.length)
  const times = random.chance(0.05) ? most : Math.min(most, random.pick([2, 17, 256]))
  const own = bytes[random.integer(0, Math.max(0, bytes.length - 1))] ?? 0
  const run = Buffer.alloc(times, random.chance(0.5) ? own : random.pick(edgeBytes))
  const at = random.pick([0, bytes.length, random.integer(0, bytes.length)])
  return Buffer.concat([bytes.subarray(0, at), run, bytes.subarray(at)])
}

function movePiece(bytes: Buffer, { random }: Matter): Buffer {
  const [start, end] = pieceOf(bytes, random)
  return insert(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]), random, bytes.subarray(start, end))
}

function splice(bytes: Buffer, { random, other }: Matter): Buffer {
  const tail = other()
  return Buffer.concat([
    bytes.subarray(0, random.integer(0, bytes.length)),
    tail.subarray(random.integer(0, tail.length)),
  ])
}

function insertFromOther(bytes: Buffer, { random, other }: Matter): Buffer {
  const donor = other()
  const [start, end] = pieceOf(donor, random)
  return insert(bytes, random, donor.subarray(start, end))
}

function cutOff(bytes: Buffer, { random }: Matter): Buffer {
  return bytes.subarray(0, random.integer(0, bytes.length))
}

function changeNumber(bytes: Buffer, { random }: Matter): Buffer {
  const text = bytes.toString('latin1')
  const numbers = [...text.matchAll(/\d+/g)]
  if (numbers.length === 0) return bytes
  const { index, 0: found } = random.pick(numbers)
  return Buffer.from(text.slice(0, index) + random.pick(nastyNumbers) + text.slice(index + found.length), 'latin1')
}

function insert(bytes: Buffer, random: Random, piece: Buffer): Buffer {
  const at = random.integer(0, bytes.length)
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

/** Mostly a short piece: a long one leaves little of the input. */
function pieceOf(bytes: Buffer, random: Random): [start: number, end: number] {
  const start = random.integer(0, bytes.length)
  const most = random.chance(0.8) ? 12 : bytes.length
  return [start, Math.min(bytes.length, start + random.integer(1, Math.max(1, most)))]
}
