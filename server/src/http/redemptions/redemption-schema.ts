import { Type } from 'typebox'
import { optionalText, usd } from '../schema-types.ts'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const limit = (whose: string) =>
  nullable(Type.Integer({ minimum: 1, description: `Maximum redemptions per ${whose}. Null for no limit.` }))
const endsAt = nullable(
  Type.String({
    description: 'Time when codes can no longer be redeemed, as an ISO 8601 string. Null if there is no end.',
  }),
)
const creditExpiresAt = nullable(
  Type.String({ description: 'Time when unused credit expires, as an ISO 8601 string. Null if it never expires.' }),
)

export const redemptionBodySchema = Type.Object({
  code: Type.String({ description: 'Redemption code. Case and hyphens are ignored.' }),
})

export const redemptionSchema = Type.Object({
  data: Type.Object(
    {
      id: Type.String({ description: "ID of the redemption and of its transaction in the wallet's ledger." }),
      wallet_id: Type.String(),
      amount: usd('Credit added'),
      balance: usd('Balance of the wallet after the redemption'),
      expires_at: optionalText('Time when unused credit expires, as an ISO 8601 string. Null if it never expires.'),
    },
    { $id: 'Redemption' },
  ),
})

export const newCampaignSchema = Type.Object({
  name: Type.String({
    maxLength: 200,
    description: 'Name of the campaign, at most 200 characters. Visible only to operators.',
  }),
  amountUsd: Type.Number({ description: 'Credit per redemption in USD, with at most nine decimal places.' }),
  codes: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Number of codes to create, from 1 to 10,000.' }),
  usesPerCode: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Maximum redemptions per code, from 1 to 100,000. Defaults to 1.',
    }),
  ),
  redemptionsMax: Type.Optional(
    nullable(Type.Integer({ minimum: 1, description: 'Total redemptions. Default: all uses of all codes.' })),
  ),
  perPersonMax: Type.Optional(limit('user (default 1)')),
  perWalletMax: Type.Optional(limit('wallet (default 1)')),
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
    redemptions: Type.Integer({ description: 'Number of redemptions so far.' }),
    redemptionsMax: Type.Integer(),
    perPersonMax: limit('user'),
    perWalletMax: limit('wallet'),
    endsAt,
    creditExpiresAt,
    enabled: Type.Boolean(),
    createdAt: Type.String({ description: 'Time of creation, as an ISO 8601 string.' }),
  },
  { $id: 'RedemptionCampaign' },
)

export const campaignListSchema = Type.Object({
  data: Type.Array(campaignSchema),
  nextCursor: nullable(
    Type.String({ description: 'Cursor to pass as `before` for the next page. Null on the last page.' }),
  ),
})

export const campaignQuerySchema = Type.Object({
  limit: Type.Optional(Type.String({ description: 'Campaigns per page, from 1 to 100. Defaults to 20.' })),
  before: Type.Optional(Type.String({ description: '`nextCursor` of the previous page.' })),
})

export const campaignChangeSchema = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({
      description:
        'Whether codes can be redeemed. If false, they cannot be redeemed until the campaign is enabled again.',
    }),
  ),
})
