import { Type } from 'typebox'
import { resetNameOf, spendPeriods } from '#domain/limits/spend-period.ts'
import { nextCursor, totalCount } from '../page-query.ts'
import { alternatives, optionalText, resetName, usd } from '../schema-types.ts'

const cap = Type.Union([Type.Number(), Type.Null()], {
  description: 'Spend limit of the key in USD, or null for no limit.',
})
const otherSpellings = spendPeriods.map((name) => `\`${resetNameOf(name)}\``).join(', ')
const period = optionalText(
  `How often the spend limit resets: ${alternatives(spendPeriods)} (also ${otherSpellings}), or null for never.`,
)
const cidrs = Type.Array(Type.String(), {
  description:
    'Allowed IP addresses: IPv4 addresses, IPv4 ranges, or IPv6 addresses. If empty, the key works from any address.',
})
const fallback = Type.Boolean({
  description: 'Whether requests continue at the paid price when a free quota is used up. Defaults to `true`.',
})

const cacheTtl = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
  description:
    'Time that answers stay in the response cache, in seconds. 0 turns the cache off, null uses the setting of the organization.',
})

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  keyType: Type.Enum(['standard', 'management']),
  keyPrefix: Type.String({ description: 'First characters of the secret.' }),
  keySuffix: Type.String({ description: 'Last characters of the secret.' }),
  enabled: Type.Boolean(),
  spendLimitUsd: cap,
  spendLimitPeriod: optionalText(`How often the spend limit resets: ${alternatives(spendPeriods)}, or null for never.`),
  allowedCidrs: cidrs,
  freeFallback: fallback,
  cacheTtlSeconds: cacheTtl,
  requestCount: Type.Integer(),
  totalTokens: Type.Integer(),
  lastUsed: optionalText('When the key was last used, in ISO 8601 format, or null.'),
  createdAt: Type.String({ description: 'When the key was created, in ISO 8601 format.' }),
  expiresAt: optionalText('When the key expires, in ISO 8601 format, or null for never.'),
  organizationId: Type.Optional(
    Type.String({
      description: 'Organization that owns the key. Present only on organization keys, like `memberId` and `teamId`.',
    }),
  ),
  memberId: Type.Optional(optionalText('Organization member the key belongs to, or null.')),
  teamId: Type.Optional(optionalText('Team the key belongs to, or null.')),
  member: Type.Optional(
    Type.Union([Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }), Type.Null()], {
      description: 'Person the key belongs to, or null.',
    }),
  ),
  team: Type.Optional(
    Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
      description: "Team that the key's usage counts for: its own, or else its member's.",
    }),
  ),
  shared: Type.Optional(Type.Boolean({ description: 'Whether the key belongs to no member and no team.' })),
  hash: Type.String({ description: 'Same as `id`.' }),
  label: Type.String({ description: 'Same as `name`.' }),
  disabled: Type.Boolean(),
  limit: cap,
  limit_remaining: usd(
    "Remaining spend limit, counting holds as spent, or the paying wallet's balance if the key has no limit",
  ),
  limit_reset: resetName,
  usage: usd('Total spend of this key'),
  usage_daily: usd('Spend since 00:00 UTC'),
  usage_weekly: usd('Spend since Monday 00:00 UTC'),
  usage_monthly: usd('Spend since 00:00 UTC on the first of the month'),
  created_at: Type.String(),
  updated_at: Type.String(),
  expires_at: optionalText('When the key expires, in ISO 8601 format, or null for never.'),
  creator_user_id: optionalText('ID of the user who created the key, or null if an operator did.'),
  external_user: Type.Null(),
  workspace_id: optionalText('Organization ID, or null for a personal key.'),
}

const key = Type.Object(keyFields, { $id: 'Key' })

export const keyListSchema = Type.Object({
  keys: Type.Array(key),
  data: Type.Array(key, { description: 'Same as `keys`.' }),
  total_count: totalCount,
  next_cursor: nextCursor,
})

export const createdKeySchema = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'Secret of the key. Returned only once.' }),
  data: key,
})

export const rotatedKeySchema = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'New secret of the key. Returned only once.' }),
  former_expires_at: optionalText(
    'When the old secret stops working, in ISO 8601 format, unless the key expires first. Null if it no longer works.',
  ),
  data: key,
})

export const changedKeySchema = Type.Object({ updated: Type.Literal(true), data: key })

const newKeyFields = {
  name: Type.String({ description: 'Name of the key. Also accepted as `label`.' }),
  limit: Type.Optional(cap),
  limit_reset: Type.Optional(period),
  expires_at: Type.Optional(
    optionalText('When the key expires, in ISO 8601 format. Must be in the future. Also accepted as `expiresAt`.'),
  ),
  allowedCidrs: Type.Optional(cidrs),
  freeFallback: Type.Optional(fallback),
  cacheTtlSeconds: Type.Optional(cacheTtl),
  keyType: Type.Optional(Type.Enum(['standard', 'management'])),
}

export const newKeySchema = Type.Object(newKeyFields, {
  description:
    '`keyType` applies only to requests with a website session. Management keys can create only standard keys.',
})

export const newOrganizationKeySchema = Type.Object({
  ...newKeyFields,
  memberId: Type.Optional(optionalText('ID of the member who uses the key.')),
  shared: Type.Optional(
    Type.Boolean({
      description:
        'Whether the key belongs to no member and no team. A standard key requires `memberId`, `teamId` or `shared: true`.',
    }),
  ),
  teamId: Type.Optional(
    optionalText('ID of the team. The key stops working when the team is deleted or the member leaves the team.'),
  ),
})

export const keyChangeSchema = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether the key can be used. Also accepted as its opposite, `disabled`.' }),
  ),
  spendLimitUsd: Type.Optional(cap),
  spendLimitPeriod: Type.Optional(period),
  allowedCidrs: Type.Optional(cidrs),
  freeFallback: Type.Optional(fallback),
  cacheTtlSeconds: Type.Optional(cacheTtl),
  disabled: Type.Optional(Type.Boolean()),
  limit: Type.Optional(cap),
  limit_reset: Type.Optional(period),
})
