import { Type } from 'typebox'
import { nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CustomerTokenRecord } from '#ports/end-customers.ts'
import { nextCursor } from '../page-query.ts'
import { optionalUsd } from '../schema-types.ts'

const limit = optionalUsd(
  'Maximum spend of the token; the limits of key and customer apply as well. Null for no maximum',
)
const allowedModels = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'Model ids, or `author/*`. Null for all models that the key may use.',
})
const keyId = Type.String({ description: 'ID of the standard key that the token acts as.' })

export const newTokenSchema = Type.Object({
  api_key_id: keyId,
  expires_in: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 86_400, description: 'Seconds until the token expires. Defaults to 3600.' }),
  ),
  limit: Type.Optional(limit),
  allowed_models: Type.Optional(allowedModels),
})

const fields = {
  id: Type.String(),
  api_key_id: keyId,
  limit,
  allowed_models: allowedModels,
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
}

export const createdTokenSchema = Type.Object({
  data: Type.Object({ ...fields, token: Type.String({ description: 'The token, shown only once.' }) }),
})

export const tokenListSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      ...fields,
      spent: optionalUsd('Amount spent with the token. Null if the token has no limit'),
      revoked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    }),
  ),
  next_cursor: nextCursor,
})

type Settings = Pick<CustomerTokenRecord, 'id' | 'keyId' | 'limit' | 'allowedModels' | 'createdAtMs' | 'expiresAtMs'>

export function renderTokenSettings(token: Settings): JsonObject {
  return {
    id: token.id,
    api_key_id: token.keyId,
    limit: nullableUsdJson(token.limit),
    allowed_models: token.allowedModels === null ? null : [...token.allowedModels],
    created_at: new Date(token.createdAtMs).toISOString(),
    expires_at: new Date(token.expiresAtMs).toISOString(),
  }
}

export function renderToken(token: CustomerTokenRecord): JsonObject {
  const { spent, revokedAtMs } = token
  return {
    ...renderTokenSettings(token),
    spent: nullableUsdJson(spent),
    revoked_at: revokedAtMs === null ? null : new Date(revokedAtMs).toISOString(),
  }
}
