import { Type } from 'typebox'
import { platformChain } from '#domain/audit/audit-entry.ts'
import type { AuditArchive } from '#ports/audit.ts'
import { parseAuditPage } from '../audit/audit-query.ts'
import { renderAuditPage } from '../audit/render-audit.ts'
import { auditLogSchema } from '../audit/audit-schema.ts'
import type { Endpoint } from '../endpoint.ts'

/** Who changed models and prices, and when. */
export function catalogueHistoryEndpoint(archive: Pick<AuditArchive, 'list'>): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.providers.read',
    name: 'listCatalogueHistory',
    method: 'GET',
    paths: ['/api/admin/catalogue/history'],
    summary: 'List changes of the catalogue',
    description: 'Imports, approvals, rejections and undone imports, with their actor.',
    query: querySchema,
    reply: { status: 200, description: 'A page of audit log entries, newest first.', schema: auditLogSchema },
    errors: ['malformedRequest'],
    handle: async ({ query }) => {
      const { before, limit } = parseAuditPage(query)
      const filter = { action: 'catalogue.', actorId: null, actor: null, target: null, fromMs: null, toMs: null }
      const found = await archive.list({ ...filter, chainId: platformChain, before, limit: limit + 1 })
      return renderAuditPage(found, limit)
    },
  }
}

const querySchema = Type.Object({
  before: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.String({ description: 'Entries per page, from 1 to 200. Defaults to 50.' })),
})
