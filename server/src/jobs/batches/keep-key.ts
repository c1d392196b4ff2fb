import type { Principal } from '#domain/access/principal.ts'

// As long as gateways keep keys that clients use, so that a revocation takes effect as soon.
const keptMs = 10_000

/** The key of a batch, read again every few seconds. */
export function keepKey(
  read: () => Promise<Principal | null>,
  elapsedMs: () => number,
): () => Promise<Principal | null> {
  let kept: { readonly atMs: number; readonly principal: Promise<Principal | null> } | null = null
  return () => {
    if (kept === null || elapsedMs() - kept.atMs >= keptMs) kept = { atMs: elapsedMs(), principal: read() }
    return kept.principal
  }
}
