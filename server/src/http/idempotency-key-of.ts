import { hash } from 'node:crypto'
import { parseIdempotencyKey } from '#domain/ledger/idempotency-key.ts'
import type { IdempotentRequest } from '#ports/idempotency.ts'
import { changeAuthorOf } from './author-of.ts'
import type { EndpointRequest } from './endpoint.ts'

/** The idempotency key of a request; null if the client sent none. Keys are scoped to their client. */
export function idempotencyKeyOf(
  request: EndpointRequest,
  { action, asked }: { action: string; asked: string },
): IdempotentRequest | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  const key = parseIdempotencyKey(String(header), 200)
  const { actor } = changeAuthorOf(request)
  return { scope: `${action} ${actor.kind} ${actor.id ?? ''}`, key, fingerprint: hash('sha256', asked) }
}
