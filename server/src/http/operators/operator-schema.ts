import { Type } from 'typebox'
import { outputCapFields, samplingForms, thinkingForms, thoughtHistories } from '#domain/routing/trait-overrides.ts'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const weight = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'Share of traffic relative to other accounts of the same provider, from 1 to 1000.',
})
const keepsPrompts = nullable(
  Type.Boolean({ description: "Whether the provider retains prompts. Null uses the provider's public policy." }),
)
const variant = Type.String({
  description: 'Region or service tier that selects the catalogue offers for this account.',
})
const discountPercent = Type.Number({
  minimum: 0,
  maximum: 100,
  description:
    'Discount that the provider gives the operator on its prices, in percent with at most four decimals. It changes the provider cost of requests, never their charge.',
})
const api = nullable(
  Type.Literal('responses', {
    description: 'API used for chat requests to this account. Null uses the API given by its offers.',
  }),
)

const field = Type.String({ description: "Field in the provider's request. Use dots for nested fields." })
const choice = (words: readonly string[], description: string) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { description },
  )
const overrides = Type.Array(
  Type.Object(
    {
      model: Type.Optional(
        Type.String({
          description:
            'Model ID at the provider or in the catalogue. A trailing `*` is a wildcard. Applies to all models if omitted.',
        }),
      ),
      leaveOut: Type.Optional(Type.Array(field, { description: "Fields to omit from the provider's request." })),
      send: Type.Optional(
        Type.Record(Type.String(), field, {
          description:
            "Client fields to send even though the gateway's tables reject them. Each value is the target field in the provider's request.",
        }),
      ),
      thinking: Type.Optional(choice(thinkingForms, 'How to request thinking.')),
      efforts: Type.Optional(
        Type.Array(Type.String(), { description: 'Reasoning effort values that the provider accepts.' }),
      ),
      outputCap: Type.Optional(choice(outputCapFields, 'Field for the output token limit.')),
      thoughts: Type.Optional(choice(thoughtHistories, 'How to send back earlier reasoning.')),
      sampling: Type.Optional(choice(samplingForms, 'Which of temperature, top_p and top_k Claude accepts.')),
      canRest: Type.Optional(Type.Boolean({ description: 'Whether thinking can be disabled for Claude.' })),
      canBeForced: Type.Optional(Type.Boolean({ description: 'Whether a tool call can be required of Claude.' })),
      aspectRatios: Type.Optional(
        Type.Array(Type.String(), { description: 'Supported aspect ratios for images and videos, such as `16:9`.' }),
      ),
      sizes: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Supported sizes of images and videos in pixels, such as `1280x720`.',
        }),
      ),
      durations: Type.Optional(Type.Array(Type.Integer(), { description: 'Supported video durations, in seconds.' })),
    },
    { $id: 'ProviderOverride' },
  ),
  { description: "Overrides of the gateway's built-in tables of what the provider accepts." },
)

export const providerSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    vendor: Type.String(),
    baseUrl: nullable(Type.String()),
    hasKey: Type.Boolean(),
    enabled: Type.Boolean(),
    weight,
    keepsPrompts,
    variant,
    api,
    discountPercent,
    overrides,
  },
  { $id: 'Provider' },
)

const health = Type.Object(
  {
    state: Type.Union([Type.Literal('ok'), Type.Literal('failing')], {
      description:
        'Health of the account. `failing`: at least one gateway has an open circuit and does not send requests for the listed models to this account.',
    }),
    models: Type.Optional(Type.Array(Type.String())),
    gateways: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String({ description: 'Reason for the most recent failure.' })),
    since: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'ProviderHealth' },
)

export const providerListSchema = Type.Object({
  data: Type.Array(Type.Object({ ...providerSchema.properties, health })),
})

export const newProviderSchema = Type.Object({
  vendor: Type.String(),
  name: Type.Optional(Type.String()),
  baseUrl: Type.Optional(Type.String()),
  key: Type.Optional(Type.String({ description: 'API key at the provider. Stored encrypted and never returned.' })),
  weight: Type.Optional(weight),
  keepsPrompts: Type.Optional(keepsPrompts),
  variant: Type.Optional(variant),
  api: Type.Optional(api),
  discountPercent: Type.Optional(discountPercent),
})

export const providerChangeSchema = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  weight: Type.Optional(weight),
  keepsPrompts: Type.Optional(keepsPrompts),
  variant: Type.Optional(variant),
  api: Type.Optional(api),
  discountPercent: Type.Optional(discountPercent),
  overrides: Type.Optional(overrides),
})

export const providerKeySchema = Type.Object({ key: Type.String() })

export const routeSchema = Type.Object({
  pattern: Type.String({ description: 'Model ID, `author/*` or `*`.' }),
  account: Type.String(),
  upstreamModel: nullable(Type.String()),
  priority: Type.Integer(),
})

export const routeListSchema = Type.Object({
  data: Type.Array(Type.Object({ ...routeSchema.properties, accountEnabled: Type.Boolean() })),
})

export const newRouteSchema = Type.Object({
  pattern: Type.String(),
  account: Type.String(),
  upstreamModel: Type.Optional(nullable(Type.String())),
  priority: Type.Optional(Type.Integer()),
})

export const routeQuerySchema = Type.Object({ pattern: Type.String(), account: Type.String() })

export const catalogueStateSchema = Type.Object({
  revision: Type.Integer(),
  models: Type.Integer(),
  listed: Type.Integer(),
  retired: Type.Integer(),
  unpriced: Type.Integer({
    description: 'Number of listed models without a price, either on the model or on any of its offers.',
  }),
  routingRevision: Type.Integer(),
  enabledProviders: Type.Integer(),
})

export const brakeSchema = Type.Object(
  {
    engaged: Type.Boolean(),
    retryAfterS: Type.Optional(Type.Enum([30, 300])),
    reason: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  },
  { $id: 'Brake' },
)

export const suspensionSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  suspended: Type.Boolean(),
})

export const organizationSuspensionSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  slug: Type.String(),
  suspended: Type.Boolean(),
})

export const creditSchema = Type.Object({
  amountUsd: Type.Number({ description: 'Amount to add to the wallet in USD, with at most nine decimal places.' }),
  source: Type.Optional(
    Type.Enum(['usd', 'local', 'grant'], {
      description: 'Source of the credit: a payment in `usd` or `local` currency, or a `grant`. Defaults to `usd`.',
    }),
  ),
  note: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  expiresAt: Type.Optional(
    nullable(
      Type.String({
        description: 'Time when unused credit of a grant expires, as an ISO 8601 string. Null if it never expires.',
      }),
    ),
  ),
})

export const creditedSchema = Type.Object({
  walletId: Type.String({ format: 'uuid' }),
  transactionId: Type.String({ format: 'uuid' }),
  balanceUsd: Type.Number(),
  paidUsd: nullable(Type.Number({ description: 'Amount paid in USD, including fee and tax. Null for a grant.' })),
})
