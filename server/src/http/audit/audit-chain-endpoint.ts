import type { ChainedEntry } from '#domain/audit/chained-entry.ts'
import type { AuditArchive } from '#ports/audit.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import { limitOf, type Query, refuseValue, textOf } from '../request-values.ts'
import { auditChainQuerySchema, auditChainSchema } from './audit-chain-schema.ts'

const limitMax = 1_000

/** The audit log as its hashes cover it, so that a client can recompute them without trusting the gateway. */
export function auditChainEndpoint(archive: AuditArchive): Endpoint {
  return {
    name: 'readAuditChain',
    method: 'GET',
    paths: ['/api/orgs/:orgId/audit-log/chain'],
    tag: 'Organizations',
    access: 'audit.read',
    errors: ['malformedRequest'],
    summary: 'Read the audit log for verification',
    description:
      'Returns every column that a hash covers, oldest first. `hash` is the SHA-256 of the bytes of `previousHash` and ' +
      'the UTF-8 text of the JSON array of all columns in the order of the schema, joined by a comma and a space.',
    query: auditChainQuerySchema,
    reply: { status: 200, description: 'A page of the chain, oldest first.', schema: auditChainSchema },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const limit = limitOf(request.query, { fallback: limitMax, max: limitMax })
      const { entries, head } = await archive.readChain({
        chainId: organizationId,
        after: parseAfter(request.query),
        limit,
      })
      const next = entries.length === limit ? (entries.at(-1)?.sequence ?? null) : null
      return {
        body: {
          data: entries.map(renderEntry),
          head: head === null ? null : { sequence: Number(head.sequence), hash: head.hash },
          next_cursor: next === null ? null : String(next),
        },
      }
    },
  }
}

function parseAfter(query: Query): bigint | null {
  const after = textOf(query, 'after')
  if (after !== null && !/^\d{1,18}$/.test(after)) throw refuseValue('after', 'a next_cursor from a previous page')
  return after === null ? null : BigInt(after)
}

function renderEntry(entry: ChainedEntry) {
  return { ...entry, sequence: Number(entry.sequence) }
}
