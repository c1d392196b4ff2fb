import { randomFillSync } from 'node:crypto'

/**
 * A UUID version 7: 48 bits of Unix milliseconds, then random bits. Ids sort by time, so a range of ids is a range of
 * time.
 */
export type Uuid = string

// Random bytes are drawn for 256 ids at a time: a call per id costs more than the rest of creating it.
const pool = Buffer.allocUnsafe(10 * 256)
let used = pool.length

export function newUuid(nowMs: number): Uuid {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const time = Math.floor(nowMs).toString(16).padStart(12, '0')
  const chance = pool.toString('hex', used, used + 10)
  used += 10
  const variant = ((Number.parseInt(chance.charAt(3), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-${variant}${chance.slice(4, 7)}-${chance.slice(7, 19)}`
}

/** When an id was created, in Unix milliseconds. */
export function uuidTimeMs(id: Uuid): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The smallest id of a time. Times before 1970 count as 1970. */
export function firstUuidAt(momentMs: number): Uuid {
  const time = Math.max(0, Math.floor(momentMs)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The id that follows another one in order. The last one is followed by itself. */
export function nextUuid(id: Uuid): Uuid {
  const next = BigInt(`0x${id.replaceAll('-', '')}`) + 1n
  const hex = next.toString(16).padStart(32, '0')
  if (hex.length > 32) return id
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): text is Uuid {
  return form.test(text)
}
