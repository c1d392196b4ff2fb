import { Type } from 'typebox'
import { optionalText, usd } from '../schema-types.ts'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const limit = (whose: string) =>
  nullable(Type.Integer({ minimum: 1, description: `Redemptions of ${whose}. Null: no limit.` }))
const endsAt = nullable(Type.String({ description: 'When codes stop being taken, ISO 8601. Null: never.' }))
const creditExpiresAt = nullable(
  Type.String({ description: 'When what is unused of the credit goes back, ISO 8601. Null: never.' }),
)

export const redemptionBodySchema = Type.Object({
  code: Type.String({ description: 'In any case, with or without hyphens' }),
})

export const redemptionSchema = Type.Object({
  data: Type.Object(
    {
      id: Type.String({ description: 'Also of the line in the ledger of the wallet' }),
      wallet_id: Type.String(),
      amount: usd('What was credited'),
      balance: usd('What the wallet has now'),
      expires_at: optionalText('When what is unused of it goes back, ISO 8601; null: never'),
    },
    { $id: 'Redemption' },
  ),
})

export const newCampaignSchema = Type.Object({
  name: Type.String({ maxLength: 200, description: 'For operators; redeemers do not see it.' }),
  amountUsd: Type.Number({ description: 'The credit of one redemption; at most nine decimals.' }),
  codes: Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many codes are made.' }),
  usesPerCode: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Default 1.' })),
  redemptionsMax: Type.Optional(
    nullable(Type.Integer({ minimum: 1, description: 'Total redemptions. Default: all uses of all codes.' })),
  ),
  perPersonMax: Type.Optional(limit('one person; default 1')),
  perWalletMax: Type.Optional(limit('one wallet; default 1')),
  endsAt: Type.Optional(endsAt),
  creditExpiresAt: Type.Optional(creditExpiresAt),
})

export const campaignSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    amountUsd: Type.Number(),
    codes: Type.Integer(),
    usesPerCode: Type.Integer(),
    redemptions: Type.Integer({ description: 'So far.' }),
    redemptionsMax: Type.Integer(),
    perPersonMax: limit('one person'),
    perWalletMax: limit('one wallet'),
    endsAt,
    creditExpiresAt,
    enabled: Type.Boolean(),
    createdAt: Type.String({ description: 'ISO 8601' }),
  },
  { $id: 'RedemptionCampaign' },
)

export const campaignListSchema = Type.Object({
  data: Type.Array(campaignSchema),
  nextCursor: nullable(Type.String({ description: 'For `before`; null on the last page.' })),
})

export const campaignQuerySchema = Type.Object({
  limit: Type.Optional(Type.String({ description: 'Campaigns on a page, 1 to 100; 20 if not given.' })),
  before: Type.Optional(Type.String({ description: 'The `nextCursor` of the page before.' })),
})

export const campaignChangeSchema = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'False: its codes cannot be redeemed until it is on again.' })),
})
