import { randomFillSync } from 'node:crypto'

// Random bytes are drawn for 512 ids at a time: a call per id costs more than the rest of creating it.
const pool = Buffer.allocUnsafe(8 * 512)
let used = pool.length

/** 16 hexadecimal digits for one span of a trace. */
export function newSpanId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const id = pool.toString('hex', used, used + 8)
  used += 8
  // All zeros would mean that there is no span.
  return id === '0000000000000000' ? newSpanId() : id
}
