import { createHash } from 'node:crypto'
import type { ChainedEntry } from './chained-entry.ts'

/**
 * What an entry's hash must be: SHA-256 over the previous hash and a JSON array of all columns. The store computes it when it
 * appends (`sql/functions/audit_hash.sql`); this is for checking, and asks nothing of the store but the columns.
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

// Both escape the same characters in the same way: quotes, backslashes and what is below a space.
function quote(text: string | null): string {
  return JSON.stringify(text)
}
