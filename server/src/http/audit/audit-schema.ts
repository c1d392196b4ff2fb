import { Type } from 'typebox'
import { optionalText } from '../schema-types.ts'

const optionalJson = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })

const filters = {
  action: Type.Optional(
    Type.String({ description: 'An action such as `org.update`, or all that begin alike: `filter.`' }),
  ),
  actorId: Type.Optional(Type.String({ description: 'The user or key that acted' })),
  from: Type.Optional(Type.String({ description: 'The first moment, ISO 8601' })),
  to: Type.Optional(Type.String({ description: 'The end, which is no longer part of it, ISO 8601' })),
}

export const auditLogQuerySchema = Type.Object({
  ...filters,
  before: Type.Optional(Type.String({ description: 'The `next_cursor` of the page before' })),
  limit: Type.Optional(Type.String({ description: 'Entries on a page, 1 to 200; 50 if not given' })),
})

export const auditExportQuerySchema = Type.Object({
  ...filters,
  format: Type.Optional(Type.String({ description: '`ndjson`, which is the default, or `csv`' })),
})

export const auditLogSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        sequence: Type.Integer({ description: 'From 1 on, without gaps' }),
        at: Type.String({ description: 'ISO 8601, UTC' }),
        actor: Type.Object({
          kind: Type.String({ description: '`user`, `key`, `operator`, `system` or `anonymous`' }),
          id: optionalText('The user or key'),
          name: optionalText('A mail address, or the name of the key'),
        }),
        action: Type.String(),
        target: Type.Union([Type.Object({ kind: Type.String(), id: Type.String() }), Type.Null()]),
        before: optionalJson('What was changed, as it was'),
        after: optionalJson('As it is since'),
        details: optionalJson('What else is to be known'),
        requestId: optionalText('The `X-Request-Id` of the request that did it'),
        hash: Type.String({ description: 'SHA-256 over this entry and the hash of the one before it' }),
      },
      { $id: 'AuditEntry' },
    ),
  ),
  next_cursor: optionalText('For `before`; null on the last page'),
})
