import { Type } from 'typebox'
import { GatewayError } from '#errors/gateway-error.ts'
import { createFieldReader } from '#control/read-fields.ts'
import type { JsonObject } from '#lib/json.ts'
import { isUuid } from '#lib/uuid.ts'
import type { EvidenceListing, EvidenceStore, NamedEvidence } from '#ports/moderation.ts'
import { customerNameSchema } from '../customers/customer-schema.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { idOf, limitOf } from '../request-values.ts'
import { optionalText } from '../schema-types.ts'

const common = { tag: 'Operators', access: 'operators.evidence' } as const

/** Prompts that moderation has blocked. */
export function evidenceEndpoints(store: Pick<EvidenceStore, 'list' | 'open'>): Endpoint[] {
  return [listEndpoint(store), openEndpoint(store)]
}

function listEndpoint(store: Pick<EvidenceStore, 'list'>): Endpoint {
  return {
    ...common,
    name: 'listEvidence',
    method: 'GET',
    paths: ['/api/admin/evidence'],
    summary: 'List blocked prompts',
    query: querySchema,
    reply: { status: 200, description: 'A page of blocked prompts, newest first.', schema: listSchema },
    errors: ['malformedRequest'],
    handle: async ({ query }) => {
      const limit = limitOf(query, { fallback: 50, max: 200 })
      const [keyId, before] = [idOf(query, 'key', 'a key id'), idOf(query, 'before', 'a next_cursor')]
      const found = await store.list({ keyId, before, limit: limit + 1 })
      const page = found.slice(0, limit)
      return {
        body: { data: page.map(renderNamed), next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null },
      }
    },
  }
}

/** A change, because it is written to the audit log, and because it requires a fresh session. */
function openEndpoint(store: Pick<EvidenceStore, 'open'>): Endpoint {
  return {
    ...common,
    name: 'openEvidence',
    method: 'POST',
    paths: ['/api/admin/evidence/open'],
    summary: 'Show a blocked prompt',
    description: "Returns the stored text. The platform's audit log names who has read it.",
    body: Type.Object({ evidenceId: Type.String() }),
    reply: { status: 200, description: 'The prompt with its text.', schema: evidenceSchema },
    errors: ['missingRequiredField', 'notFound'],
    handle: async (request) => {
      const id = createFieldReader(request.body).requiredText('evidenceId')
      const { actor, requestId, nowMs } = changeAuthorOf(request)
      const evidence = isUuid(id) ? await store.open(id, { actor, requestId }, nowMs) : null
      if (evidence === null) throw new GatewayError('notFound', { message: `Blocked prompt ${id} not found.` })
      const { parts, isPartial } = evidence.content
      return {
        body: {
          data: {
            ...renderListing(evidence),
            partial: isPartial,
            parts: parts.map(({ text, start, content }) => ({ text, start, content })),
          },
        },
      }
    },
  }
}

function renderNamed({ key, customer, ...listing }: NamedEvidence): JsonObject {
  return {
    ...renderListing(listing),
    key_name: key?.name ?? null,
    key_shown: key?.shown ?? null,
    customer: customer === null ? null : { kind: customer.kind, id: customer.id, name: customer.name },
  }
}

function renderListing(listing: EvidenceListing): JsonObject {
  return {
    id: listing.id,
    at: new Date(listing.atMs).toISOString(),
    kept_until: new Date(listing.expiresAtMs).toISOString(),
    key_id: listing.keyId,
    endpoint: listing.endpoint,
    model: listing.model,
    source: listing.source,
    categories: [...listing.categories],
  }
}

const querySchema = Type.Object({
  key: Type.Optional(Type.String({ description: 'Returns only prompts sent with the API key of this ID.' })),
  before: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.String({ description: 'Prompts per page, from 1 to 200. Defaults to 50.' })),
})

const listed = {
  id: Type.String({ format: 'uuid' }),
  at: Type.String({ format: 'date-time' }),
  kept_until: Type.String({ format: 'date-time' }),
  key_id: Type.String({ format: 'uuid' }),
  endpoint: Type.String(),
  model: Type.String(),
  source: Type.Enum(['built-in', 'upstream'], { description: 'Which moderation blocked it.' }),
  categories: Type.Array(Type.String()),
}

const listSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        ...listed,
        key_name: optionalText('Name of the key. Null if it was deleted.'),
        key_shown: optionalText('The visible ends of the key.'),
        customer: customerNameSchema,
      },
      { $id: 'EvidenceListing' },
    ),
  ),
  next_cursor: optionalText('Pass it as `before` to get the next page. Null on the last page.'),
})

const evidenceSchema = Type.Object({
  data: Type.Object(
    {
      ...listed,
      partial: Type.Boolean({ description: 'Whether the prompt was too long to store as a whole.' }),
      parts: Type.Array(
        Type.Object({
          text: Type.Integer({ description: 'Index of the text in the request.' }),
          start: Type.Integer({ description: 'Position of the part in the text.' }),
          content: Type.String(),
        }),
      ),
    },
    { $id: 'Evidence' },
  ),
})
