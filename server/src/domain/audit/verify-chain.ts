import { createHash } from 'node:crypto'
import type { Uuid } from '#lib/uuid.ts'
import type { ChainedEntry, ChainHead } from './chained-entry.ts'

/** A position at which a chain differs from the entries that were written. */
export interface ChainFault {
  readonly what: string
  /** The entry with the fault, or null if there is none. */
  readonly entry: { readonly sequence: bigint; readonly id: Uuid | null } | null
  readonly expected: string
  readonly found: string
}

/** Verifies one chain from its beginning. Nothing after the first fault can be trusted, so it stops there. */
interface ChainWalk {
  /** Adds the next entry in sequence order. */
  add(entry: ChainedEntry): ChainFault | null
  end(head: ChainHead | null): ChainFault | null
  /** The last entry that was added. */
  readonly last: ChainHead
}

export function walkChain(): ChainWalk {
  let last: ChainHead = { sequence: 0n, hash: '' }
  return {
    get last() {
      return last
    },
    add(entry) {
      const fault = judgeEntry(last, entry)
      if (fault === null) last = { sequence: entry.sequence, hash: entry.hash }
      return fault
    },
    end: (head) => judgeHead(last, head),
  }
}

function judgeEntry(last: ChainHead, entry: ChainedEntry): ChainFault | null {
  const place = { sequence: entry.sequence, id: entry.id }
  const due = last.sequence + 1n
  if (entry.sequence > due) {
    const gap = entry.sequence - due === 1n ? String(due) : `${due} to ${entry.sequence - 1n}`
    return { what: 'entries are missing', entry: { sequence: due, id: null }, expected: gap, found: 'none' }
  }
  if (entry.sequence < due) {
    return { what: 'unexpected extra entry', entry: place, expected: String(due), found: String(entry.sequence) }
  }
  const hash = hashEntry(entry)
  if (entry.previousHash !== last.hash) {
    const found = entry.previousHash
    return { what: 'an entry does not link to the previous one', entry: place, expected: last.hash, found }
  }
  if (entry.hash !== hash) {
    return { what: 'an entry does not match its hash', entry: place, expected: hash, found: entry.hash }
  }
  return null
}

function judgeHead(last: ChainHead, head: ChainHead | null): ChainFault | null {
  if (head !== null && head.sequence === last.sequence && head.hash === last.hash) return null
  if (head === null && last.sequence === 0n) return null
  const entry = last.sequence === 0n ? null : { sequence: last.sequence, id: null }
  const found = head === null ? 'no head' : describe(head)
  return { what: 'the chain does not end at its recorded head', entry, expected: describe(last), found }
}

function describe({ sequence, hash }: ChainHead): string {
  return `${sequence} ${hash}`.trim()
}

/**
 * The expected hash of an entry: SHA-256 over the previous hash and a JSON array of all columns. The store computes it
 * on append (`sql/functions/audit_hash.sql`); this function verifies it, and needs only the columns from the store.
 */
export function hashEntry(entry: ChainedEntry): string {
  const columns = [
    JSON.stringify(entry.chainId),
    String(entry.sequence),
    JSON.stringify(entry.id),
    JSON.stringify(entry.epochS),
    ...[entry.actorKind, entry.actorId, entry.actorName, entry.action, entry.targetKind, entry.targetId].map(quote),
    ...[entry.before, entry.after, entry.details].map((json) => json ?? 'null'),
    quote(entry.requestId),
  ]
  return createHash('sha256')
    .update(Buffer.from(entry.previousHash, 'hex'))
    .update(`[${columns.join(', ')}]`, 'utf8')
    .digest('hex')
}

// JSON and Postgres escape the same characters in the same way: quotes, backslashes and control characters.
function quote(text: string | null): string {
  return JSON.stringify(text)
}
