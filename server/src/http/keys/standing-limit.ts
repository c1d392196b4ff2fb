import { Type } from 'typebox'
import type { StandingLimit } from '#domain/limits/effective-limit.ts'
import { spendPeriods } from '#domain/limits/spend-period.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { alternatives, optionalText, usd } from '../schema-types.ts'

export function renderLimit(limit: StandingLimit): JsonObject {
  const [scope = '', window = null] = limit.kind.split('_')
  return {
    scope,
    window,
    owner_id: limit.ownerId,
    is_breaker: limit.isBreaker,
    limit: usdJson(limit.limit),
    taken: usdJson(limit.taken),
    left: usdJson(limit.left),
    resets_at: limit.resetsAtMs === null ? null : new Date(limit.resetsAtMs).toISOString(),
  }
}

export const limitProperties = {
  scope: Type.String({
    description: 'What the limit applies to: `wallet`, `key`, `user`, `member`, `team`, or `organization`.',
  }),
  window: optionalText(
    `Period of the limit: ${alternatives(['life', ...spendPeriods.toReversed(), 'hour', 'minute'])}. \`balance\` for the prepaid balance of a customer. Null for the wallet.`,
  ),
  owner_id: Type.String({ description: 'ID of the wallet, key, user, member, team, or organization.' }),
  is_breaker: Type.Boolean({
    description: 'Whether the limit is a spend breaker, which counts the expected cost of requests.',
  }),
  limit: usd('Amount of the limit, or balance plus credit line for the wallet'),
  taken: usd('Amount held and spent, or only the amount held for the wallet'),
  left: usd('Remaining amount, never below 0'),
  resets_at: optionalText('When the limit resets, in ISO 8601 format, or null for never.'),
}
