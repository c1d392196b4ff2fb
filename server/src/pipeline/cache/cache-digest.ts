import { hash } from 'node:crypto'
import type { Principal } from '#domain/access/principal.ts'
import type { Arrival, Plan } from '../types.ts'

// The format is part of the digest, so gateways of another version do not find these answers.
const keptFormat = 3

/**
 * Identifies a request by everything that can change its answer, and by the people who may get it. The body counts as
 * text after the filters, because the order of fields in a schema decides the order of fields in the answer.
 */
export function cacheDigest(
  { dialect, wantsEvents, storage }: Pick<Arrival, 'dialect' | 'wantsEvents' | 'storage'>,
  { customerToken, institutionSession }: Pick<Principal, 'customerToken' | 'institutionSession'>,
  { call, candidates, maxCost }: Pick<Plan, 'call' | 'candidates' | 'maxCost'>,
): Buffer {
  const { cache: _cache, ...body } = call.body
  const trims = [...(call.trims ?? [])].map(([model, { keeps }]) => [model, keeps])
  // Sorted, because health and measurements change the order of candidates, but not their possible answers.
  const servers = candidates.map(({ account, model, upstreamModel, api, billing }) =>
    JSON.stringify([
      account.id,
      account.baseUrl,
      account.overrides,
      model.id,
      upstreamModel,
      api,
      billing === 'own_key',
    ]),
  )
  // Customer tokens and institution sessions belong to other people than the key.
  const person = customerToken?.endCustomerId ?? institutionSession?.personId ?? null
  // Answers repeat what a request asked of stored responses.
  const asked = [dialect.name, wantsEvents, ...(storage === undefined ? [] : [storage])]
  const parts = [keptFormat, ...asked, body, trims, servers.toSorted(), String(maxCost), person]
  return hash('sha256', JSON.stringify(parts), 'buffer')
}
