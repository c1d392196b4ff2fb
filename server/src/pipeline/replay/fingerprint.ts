import { createHash, hash } from 'node:crypto'
import type { Principal } from '#domain/access/principal.ts'
import { parseIdempotencyKey } from '#domain/ledger/idempotency-key.ts'
import type { Arrival } from '../types.ts'
import { fileDigest } from './file-digest.ts'

/** Identifies a request by everything that decides its answer: endpoint, headers with a meaning, body and files. */
export async function fingerprintOf(sent: Arrival): Promise<Buffer> {
  const { dialect, attribution, maxCost, freeFallback, wantsEvents, body } = sent
  const digest = createHash('sha256')
  digest.update(JSON.stringify([dialect.name, attribution, maxCost ?? null, freeFallback, wantsEvents, body]))
  for (const file of sent.files) digest.update(await fileDigest(file))
  return digest.digest()
}

/**
 * Separates the idempotency keys of different API keys, of different people of one institution key and of different
 * tokens.
 */
export function scopeOf({ keyId, institutionSession, customerToken }: Principal, key: string): Buffer {
  const named = [keyId, institutionSession?.id ?? customerToken?.id ?? null, parseIdempotencyKey(key, 255)]
  return hash('sha256', JSON.stringify(named), 'buffer')
}
