import { Type } from 'typebox'
import { namedCustomer } from '../payments/name-customers.ts'
import { optionalText } from '../schema-types.ts'

const optionalJson = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })

const filters = {
  action: Type.Optional(
    Type.String({
      description: 'Action to return, such as `org.update`, or a prefix ending in a dot, such as `filter.`.',
    }),
  ),
  from: Type.Optional(Type.String({ description: 'Start of the time range (inclusive), as an ISO 8601 string.' })),
  to: Type.Optional(Type.String({ description: 'End of the time range (exclusive), as an ISO 8601 string.' })),
}

const organizationFilters = {
  ...filters,
  actorId: Type.Optional(Type.String({ description: 'ID of the user or key that performed the action.' })),
}

const platformFilters = {
  ...filters,
  actor: Type.Optional(
    Type.String({
      description: 'Who performed the action: an ID, an email address, or the name of a key or operator.',
    }),
  ),
  target: Type.Optional(
    Type.String({
      description:
        'The changed object: an ID, an email address, the slug of an organization, the name of a provider account, or the ID of a model.',
    }),
  ),
}

const pages = {
  before: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.String({ description: 'Entries per page, from 1 to 200. Defaults to 50.' })),
}

const formats = {
  format: Type.Optional(Type.String({ description: 'Export format: `ndjson` or `csv`. Defaults to `ndjson`.' })),
}

export const auditLogQuerySchema = Type.Object({ ...organizationFilters, ...pages })
export const auditExportQuerySchema = Type.Object({ ...organizationFilters, ...formats })
export const platformAuditQuerySchema = Type.Object({ ...platformFilters, ...pages })
export const platformAuditExportQuerySchema = Type.Object({ ...platformFilters, ...formats })

const entryFields = {
  id: Type.String(),
  sequence: Type.Integer({ description: 'Sequence number, starting at 1 without gaps.' }),
  at: Type.String({ description: 'Time of the action in UTC, as an ISO 8601 string.' }),
  actor: Type.Object({
    kind: Type.String({ description: 'Type of actor: `user`, `key`, `operator`, `system` or `anonymous`.' }),
    id: optionalText('ID of the user or key.'),
    name: optionalText('Email address of the user, or name of the key or of the operator of a command.'),
  }),
  action: Type.String(),
  target: Type.Union([Type.Object({ kind: Type.String(), id: Type.String() }), Type.Null()]),
  before: optionalJson('Changed values before the action.'),
  after: optionalJson('Changed values after the action.'),
  details: optionalJson('Additional details about the action.'),
  requestId: optionalText('`X-Request-Id` of the request that performed the action.'),
  hash: Type.String({ description: 'SHA-256 hash of this entry and the hash of the previous entry.' }),
}

const platformEntryFields = {
  ...entryFields,
  targetName: optionalText('Name of the changed key, member, team or provider account. Null for other objects.'),
  customer: namedCustomer,
}

const nextCursor = optionalText('Cursor to pass as `before` for the next page. Null on the last page.')

export const auditLogSchema = Type.Object({
  data: Type.Array(Type.Object(entryFields, { $id: 'AuditEntry' })),
  next_cursor: nextCursor,
})

export const platformAuditLogSchema = Type.Object({
  data: Type.Array(Type.Object(platformEntryFields, { $id: 'PlatformAuditEntry' })),
  next_cursor: nextCursor,
})
