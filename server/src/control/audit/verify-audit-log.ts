import type { ChainFault } from '#domain/audit/verify-chain.ts'
import { walkChain } from '#domain/audit/verify-chain.ts'
import type { ChainHead } from '#domain/audit/chained-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AuditChains } from '#ports/audit.ts'

export interface VerifiedChain {
  readonly chainId: Uuid
  /** The last entry whose hash is correct. */
  readonly last: ChainHead
  readonly fault: ChainFault | null
}

interface VerifiedLog {
  readonly chains: readonly VerifiedChain[]
  /** Expected hashes that do not occur in the log. */
  readonly missing: readonly string[]
}

const batchSize = 1_000

/**
 * Recomputes every hash of the given chain, or of all chains. A chain that was truncated together with its head is
 * consistent in itself: only hashes that were recorded elsewhere prove that later entries existed.
 */
export async function verifyAuditLog(
  chains: AuditChains,
  wanted: { chainId: Uuid | null; expectedHashes: readonly string[] },
): Promise<VerifiedLog> {
  const missing = new Set(wanted.expectedHashes)
  const verified: VerifiedChain[] = []
  for (const chainId of wanted.chainId === null ? await chains.list() : [wanted.chainId]) {
    verified.push(await verifyChain(chains, chainId, (hash) => missing.delete(hash)))
  }
  return { chains: verified, missing: [...missing] }
}

async function verifyChain(chains: AuditChains, chainId: Uuid, note: (hash: string) => void): Promise<VerifiedChain> {
  const walk = walkChain()
  let after: bigint | null = null
  for (;;) {
    const entries = await chains.readEntries({ chainId, after, limit: batchSize })
    for (const entry of entries) {
      const fault = walk.add(entry)
      if (fault !== null) return { chainId, last: walk.last, fault }
      note(entry.hash)
    }
    after = entries.at(-1)?.sequence ?? null
    if (after === null || entries.length < batchSize) break
  }
  return { chainId, last: walk.last, fault: walk.end(await chains.readHead(chainId)) }
}
