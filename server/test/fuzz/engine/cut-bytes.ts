import { crc32 } from 'node:zlib'
import { createRandom } from '#test/drills/setup/random.ts'

/** Above this size, one piece per byte takes longer than all the rest. */
const bytewiseMax = 1_024

/** Cuts an input into pieces, depending only on the input: in two, in several, or byte by byte. */
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
  // Copies, because a reader that keeps a borrowed buffer must be caught.
  return edges.slice(1).map((end, at) => Buffer.from(input.subarray(edges[at] ?? 0, end)))
}
