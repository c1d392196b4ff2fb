import { Type } from 'typebox'

const time = (description: string) => Type.String({ description: `${description}, as an ISO 8601 string.` })
const optionalTime = (description: string) => Type.Union([time(description), Type.Null()])

const tokenFields = {
  id: Type.String(),
  name: Type.String(),
  tokenPrefix: Type.String(),
  tokenSuffix: Type.String(),
  createdAt: time('Time of creation'),
  expiresAt: optionalTime('Time when the token expires'),
  lastUsedAt: optionalTime('Time of the last request, to the minute'),
}

export const newScimTokenSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  expiresInDays: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 730 }), Type.Null()], {
      description: 'Lifetime in days. Null for a token that does not expire.',
    }),
  ),
})

export const rotateScimTokenSchema = Type.Object({
  overlapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: 'Hours during which the old token keeps working.',
    }),
  ),
})

export const createdScimTokenSchema = Type.Object({
  data: Type.Object({ ...tokenFields, token: Type.String({ description: 'The token, returned only once.' }) }),
})

export const provisioningSchema = Type.Object({
  data: Type.Object({
    baseUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'Base URL for the directory. Null if the public URL is not configured.',
    }),
    people: Type.Integer({ description: 'Members whom the directory has provisioned.' }),
    activePeople: Type.Integer(),
    groups: Type.Integer(),
    lastSyncAt: optionalTime('Time of the last request of the directory, to the minute'),
    tokens: Type.Array(Type.Object(tokenFields, { $id: 'ScimToken' }), {
      description: 'Tokens that are not revoked, newest first.',
    }),
    failures: Type.Array(
      Type.Object({
        at: time('Time of the request'),
        request: Type.String({ description: 'Method and path.' }),
        status: Type.Integer(),
        detail: Type.String(),
      }),
      { description: 'The last refused requests, newest first.' },
    ),
  }),
})
