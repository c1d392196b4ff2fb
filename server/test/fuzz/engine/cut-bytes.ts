import { crc32 } from 'node:zlib'
import { createRandom } from '#test/drills/setup/random.ts'

/** Beyond this, a piece for each byte takes longer than all the rest. */
const bytewiseMax = 1_024

/** A way to cut an input into pieces, which depends on nothing but the input: in two, in several, or byte by byte. */
export function cutBytes(input: Buffer): Buffer[] {
  const random = createRandom(crc32(input))
  if (random.chance(0.3) && input.length <= bytewiseMax) return Array.from(input, (byte) => Buffer.of(byte))
  const places = Array.from({ length: random.pick([1, 1, 2, 5]) }, () => random.integer(0, input.length))
  return cutAt(
    input,
    places.sort((one, other) => one - other),
  )
}

function cutAt(input: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places, input.length]
  // Copies, because a reader that keeps what it is lent must not be helped.
  return edges.slice(1).map((end, at) => Buffer.from(input.subarray(edges[at] ?? 0, end)))
}
