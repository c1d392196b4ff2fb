import { Type } from 'typebox'
import { nextCursor, totalCount } from '../page-query.ts'
import { optionalText, usd } from '../schema-types.ts'

const cap = Type.Union([Type.Number(), Type.Null()], {
  description: 'Most that the key may spend, USD; null for no limit',
})
const period = optionalText('`day`, `week`, `month`, also `daily`, `weekly`, `monthly`; null for the whole life')
const cidrs = Type.Array(Type.String(), {
  description: 'From where the key may be used: IPv4 addresses, IPv4 ranges, IPv6 addresses. Empty: from everywhere',
})
const fallback = Type.Boolean({
  description: 'Whether calls go on at the paid price when a free quota is used up. Default true',
})

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  keyType: Type.Enum(['standard', 'management']),
  keyPrefix: Type.String({ description: 'How the secret begins' }),
  keySuffix: Type.String({ description: 'How the secret ends' }),
  enabled: Type.Boolean(),
  spendLimitUsd: cap,
  spendLimitPeriod: optionalText('`day`, `week`, `month`, or null for a limit over the whole life'),
  allowedCidrs: cidrs,
  freeFallback: fallback,
  requestCount: Type.Integer(),
  totalTokens: Type.Integer(),
  lastUsed: optionalText('ISO 8601'),
  createdAt: Type.String({ description: 'ISO 8601' }),
  expiresAt: optionalText('ISO 8601'),
  organizationId: Type.Optional(Type.String({ description: 'Only on keys of an organization, as the next two' })),
  memberId: Type.Optional(optionalText('Whose key it is there')),
  teamId: Type.Optional(optionalText('The team that it works with')),
  hash: Type.String({ description: 'The same as `id`' }),
  label: Type.String({ description: 'The same as `name`' }),
  disabled: Type.Boolean(),
  limit: cap,
  limit_remaining: usd(
    "What is left of the limit, held amounts counted as spent; without one, the paying wallet's balance",
  ),
  limit_reset: optionalText('`daily`, `weekly`, `monthly`, or null'),
  usage: usd('Spent with this key, overall'),
  usage_daily: usd('Since 00:00 UTC'),
  usage_weekly: usd('Since Monday 00:00 UTC'),
  usage_monthly: usd('Since the 1st, 00:00 UTC'),
  created_at: Type.String(),
  updated_at: Type.String(),
  expires_at: optionalText('ISO 8601'),
  creator_user_id: optionalText('Who made it; null: an operator'),
  external_user: Type.Null(),
  workspace_id: optionalText("The organization's id, or null for a personal key"),
}

const key = Type.Object(keyFields, { $id: 'Key' })

export const keyListSchema = Type.Object({
  keys: Type.Array(key),
  data: Type.Array(key, { description: 'The same as `keys`' }),
  total_count: totalCount,
  next_cursor: nextCursor,
})

export const createdKeySchema = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'The secret. It is shown this once' }),
  data: key,
})

export const rotatedKeySchema = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'The new secret. It is shown this once' }),
  former_expires_at: optionalText('Until when the former secret works, unless the key ends before; null: no longer'),
  data: key,
})

export const changedKeySchema = Type.Object({ updated: Type.Literal(true), data: key })

const newKeyFields = {
  name: Type.String({ description: 'What to call it; also as `label`' }),
  limit: Type.Optional(cap),
  limit_reset: Type.Optional(period),
  expires_at: Type.Optional(optionalText('ISO 8601, in the future; also as `expiresAt`')),
  allowedCidrs: Type.Optional(cidrs),
  freeFallback: Type.Optional(fallback),
  keyType: Type.Optional(Type.Enum(['standard', 'management'])),
}

export const newKeySchema = Type.Object(newKeyFields, {
  description: '`keyType` counts with a session on the website alone; a management key makes standard keys.',
})

export const newOrganizationKeySchema = Type.Object({
  ...newKeyFields,
  memberId: Type.Optional(optionalText('Who uses it')),
  teamId: Type.Optional(optionalText('It stops working when the team goes, or its member leaves the team')),
})

export const keyChangeSchema = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Also the other way round as `disabled`' })),
  spendLimitUsd: Type.Optional(cap),
  spendLimitPeriod: Type.Optional(period),
  allowedCidrs: Type.Optional(cidrs),
  freeFallback: Type.Optional(fallback),
  disabled: Type.Optional(Type.Boolean()),
  limit: Type.Optional(cap),
  limit_reset: Type.Optional(period),
})
