import { Type } from 'typebox'
import { optionalText } from '../schema-types.ts'

export const auditChainQuerySchema = Type.Object({
  after: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.String({ description: 'Entries per page, from 1 to 1000. Defaults to 1000.' })),
})

export const auditChainSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        chainId: Type.String({ description: 'ID of the organization.' }),
        sequence: Type.Integer({ description: 'Sequence number, starting at 1 without gaps.' }),
        id: Type.String(),
        epochS: Type.String({ description: 'Time in Unix seconds with six decimals.' }),
        actorKind: Type.String(),
        actorId: optionalText('ID of the user or key.'),
        actorName: optionalText('Name as stored. Null for users, whose email addresses are not part of the log.'),
        action: Type.String(),
        targetKind: optionalText('Type of the changed object.'),
        targetId: optionalText('ID of the changed object.'),
        before: optionalText('JSON text of the values before the action.'),
        after: optionalText('JSON text of the values after the action.'),
        details: optionalText('JSON text of additional details.'),
        requestId: optionalText('`X-Request-Id` of the request that performed the action.'),
        previousHash: Type.String({ description: 'Hash of the previous entry, hexadecimal. Empty for the first.' }),
        hash: Type.String({ description: 'SHA-256 hash, hexadecimal.' }),
      },
      { $id: 'AuditChainEntry' },
    ),
  ),
  head: Type.Union([Type.Object({ sequence: Type.Integer(), hash: Type.String() }), Type.Null()], {
    description: 'The last entry, which the store records separately. Null if the log is empty.',
  }),
  next_cursor: optionalText('Cursor to pass as `after` for the next page. Null on the last page.'),
})
