import { Type } from 'typebox'
import { outputCapFields, samplingForms, thinkingForms, thoughtHistories } from '#domain/routing/trait-overrides.ts'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const weight = Type.Integer({ minimum: 1, maximum: 1_000, description: "Its share among the vendor's accounts." })
const keepsPrompts = nullable(Type.Boolean({ description: 'Null: as its vendor says in public.' }))
const variant = Type.String({ description: 'The region or service tier whose offers hold for it.' })
const api = nullable(
  Type.Literal('responses', {
    description: 'The interface that its conversations go through. Null: as its offers say.',
  }),
)

const field = Type.String({ description: 'A field of the provider; dots lead into objects.' })
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
          description: "The provider's name of a model, or ours; a star may stand at its end. Left out: all.",
        }),
      ),
      leaveOut: Type.Optional(Type.Array(field, { description: 'Fields that are not sent.' })),
      send: Type.Optional(
        Type.Record(Type.String(), field, {
          description:
            "The client's fields that are sent although the gateway's tables refuse them, with their places.",
        }),
      ),
      thinking: Type.Optional(choice(thinkingForms, 'How to request thinking.')),
      efforts: Type.Optional(Type.Array(Type.String(), { description: 'The words for an effort that are taken.' })),
      outputCap: Type.Optional(choice(outputCapFields, 'Field for the output token limit.')),
      thoughts: Type.Optional(choice(thoughtHistories, 'How to send back earlier reasoning.')),
      sampling: Type.Optional(choice(samplingForms, 'Which of temperature, top_p and top_k Claude accepts.')),
      canRest: Type.Optional(Type.Boolean({ description: 'Whether thinking can be disabled for Claude.' })),
      canBeForced: Type.Optional(Type.Boolean({ description: 'Whether a tool call can be required of Claude.' })),
      aspectRatios: Type.Optional(
        Type.Array(Type.String(), { description: 'The ratios of images and videos that are taken, such as 16:9.' }),
      ),
      sizes: Type.Optional(
        Type.Array(Type.String(), { description: 'The sizes of images and videos that are taken, such as 1280x720.' }),
      ),
      durations: Type.Optional(
        Type.Array(Type.Integer(), { description: 'The lengths of videos that are made, in seconds.' }),
      ),
    },
    { $id: 'ProviderOverride' },
  ),
  { description: "Where the operator knows better than the gateway's tables what the provider takes." },
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
    overrides,
  },
  { $id: 'Provider' },
)

const health = Type.Object(
  {
    state: Type.Union([Type.Literal('ok'), Type.Literal('failing')], {
      description: 'failing: some gateway has a circuit breaker open, and does not ask the account for those models.',
    }),
    models: Type.Optional(Type.Array(Type.String())),
    gateways: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String({ description: 'Of the most recent failure.' })),
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
  key: Type.Optional(Type.String({ description: 'Sealed before it is stored, and never answered.' })),
  weight: Type.Optional(weight),
  keepsPrompts: Type.Optional(keepsPrompts),
  variant: Type.Optional(variant),
  api: Type.Optional(api),
})

export const providerChangeSchema = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  weight: Type.Optional(weight),
  keepsPrompts: Type.Optional(keepsPrompts),
  variant: Type.Optional(variant),
  api: Type.Optional(api),
  overrides: Type.Optional(overrides),
})

export const providerKeySchema = Type.Object({ key: Type.String() })

export const routeSchema = Type.Object({
  pattern: Type.String({ description: 'A model id, `author/*` or `*`.' }),
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
  unpriced: Type.Integer({ description: 'Listed, but neither they nor any of their offers has a price.' }),
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

export const creditSchema = Type.Object({
  amountUsd: Type.Number({ description: 'What the wallet grows by; at most nine decimals.' }),
  source: Type.Optional(Type.Enum(['usd', 'local', 'grant'], { description: 'How it was paid. Default usd.' })),
  note: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  expiresAt: Type.Optional(
    nullable(Type.String({ description: 'For a grant: when what is unused of it goes back, ISO 8601. Null: never.' })),
  ),
})

export const creditedSchema = Type.Object({
  walletId: Type.String({ format: 'uuid' }),
  transactionId: Type.String({ format: 'uuid' }),
  balanceUsd: Type.Number(),
  paidUsd: nullable(Type.Number({ description: 'With fee and tax; null for a grant.' })),
})
