import type { ChainEntry, ChainPage } from '../../api/audit.ts'

export type ChainVerdict =
  | { readonly kind: 'verified'; readonly count: number; readonly hash: string; readonly isSavedFound: boolean }
  | { readonly kind: 'broken'; readonly sequence: number; readonly problem: string }

interface Walk {
  readonly readPage: (after: string | null) => Promise<ChainPage>
  readonly onProgress: (count: number) => void
  /** A hash that was kept elsewhere. Only it proves that no later entries were cut off. */
  readonly savedHash: string
}

/**
 * Recomputes every hash of an audit log from its columns, as `audit_hash` of the database does. It stops at the first
 * entry that differs, because nothing after it can be trusted.
 */
export async function verifyChain({ readPage, onProgress, savedHash }: Walk): Promise<ChainVerdict> {
  let last = { sequence: 0, hash: '' }
  let isSavedFound = false
  let after: string | null = null
  for (;;) {
    const page: ChainPage = await readPage(after)
    for (const entry of page.data) {
      const problem = await judgeEntry(last, entry)
      if (problem !== null) return { kind: 'broken', sequence: last.sequence + 1, problem }
      last = { sequence: Number(entry.sequence), hash: entry.hash }
      isSavedFound ||= entry.hash === savedHash
    }
    onProgress(last.sequence)
    after = page.next_cursor
    if (after !== null) continue
    const head = { sequence: Number(page.head?.sequence ?? 0), hash: page.head?.hash ?? '' }
    if (head.sequence !== last.sequence || head.hash !== last.hash) {
      return { kind: 'broken', sequence: last.sequence + 1, problem: 'The log does not end where it should.' }
    }
    return { kind: 'verified', count: last.sequence, hash: last.hash, isSavedFound }
  }
}

async function judgeEntry(
  last: { readonly sequence: number; readonly hash: string },
  entry: ChainEntry,
): Promise<string | null> {
  if (Number(entry.sequence) !== last.sequence + 1) return 'An entry is missing or was added.'
  if (entry.previousHash !== last.hash) return 'The entry does not follow the one before it.'
  return (await hashEntry(entry)) === entry.hash ? null : 'The entry was changed after it was written.'
}

/** SHA-256 over the previous hash and a JSON array of all columns. */
async function hashEntry(entry: ChainEntry): Promise<string> {
  const columns = [
    JSON.stringify(entry.chainId),
    String(entry.sequence),
    JSON.stringify(entry.id),
    JSON.stringify(entry.epochS),
    ...[entry.actorKind, entry.actorId, entry.actorName, entry.action, entry.targetKind, entry.targetId].map((text) =>
      JSON.stringify(text),
    ),
    ...[entry.before, entry.after, entry.details].map((json) => json ?? 'null'),
    JSON.stringify(entry.requestId),
  ]
  const previous = bytesOf(entry.previousHash)
  const text = new TextEncoder().encode(`[${columns.join(', ')}]`)
  const bytes = new Uint8Array(previous.length + text.length)
  bytes.set(previous)
  bytes.set(text, previous.length)
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
