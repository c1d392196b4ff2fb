import { Type } from 'typebox'
import { fallbackModes, ownKeyProtocols } from '#domain/routing/own-keys.ts'

const protocol = Type.Union(
  ownKeyProtocols.map((name) => Type.Literal(name)),
  { description: 'API protocol of the provider.' },
)
const fallbackMode = Type.Union(
  fallbackModes.map((name) => Type.Literal(name)),
  {
    description:
      "Behavior when the provider fails: `seamless` falls back to Weir's providers, `strict` returns an error.",
  },
)
const scopedApiKeyIds = Type.Array(Type.String(), {
  description: 'IDs of the API keys that can use this BYOK key. An empty array means all keys of the organization.',
})
const name = Type.String({ minLength: 1, maxLength: 200 })
const baseUrl = Type.String({ description: 'Base URL of the provider, without `/models`. Must be a public https URL.' })
const enabled = Type.Boolean()

const mappingWish = Type.Object({
  model: Type.String(),
  upstreamModel: Type.Optional(Type.String()),
  enabled: Type.Optional(enabled),
})

export const newOwnKeySchema = Type.Object({
  name,
  baseUrl,
  apiKey: Type.String({ description: 'API key at the provider. Stored encrypted and never returned.' }),
  protocol: Type.Optional(protocol),
  fallbackMode: Type.Optional(fallbackMode),
  modelMappings: Type.Optional(
    Type.Array(mappingWish, {
      description: "Models to map to the provider's models. If omitted, Weir fetches the provider's model list.",
    }),
  ),
  scopedApiKeyIds: Type.Optional(scopedApiKeyIds),
  enabled: Type.Optional(enabled),
})

export const ownKeyChangeSchema = Type.Partial(
  Type.Object({
    name,
    baseUrl,
    protocol,
    fallbackMode,
    modelMappings: Type.Array(mappingWish),
    modelToggles: Type.Record(Type.String(), Type.Boolean(), {
      description: 'Mapped models to enable (true) or disable (false), by model ID.',
    }),
    scopedApiKeyIds,
    enabled,
  }),
)

const optionalText = Type.Union([Type.String(), Type.Null()])

const ownKeySchema = Type.Object(
  {
    id: Type.String(),
    name,
    baseUrl,
    keyMask: Type.String(),
    protocol,
    fallbackMode,
    modelMappings: Type.Array(
      Type.Object({ model: Type.String(), upstreamModel: Type.String(), enabled }, { $id: 'ModelMapping' }),
    ),
    scopedApiKeyIds,
    enabled,
    health: Type.Object(
      {
        status: Type.Union([Type.Literal('unknown'), Type.Literal('healthy'), Type.Literal('failing')]),
        lastCheckedAt: optionalText,
        lastError: optionalText,
        consecutiveFailures: Type.Integer(),
      },
      { $id: 'OwnKeyHealth' },
    ),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { $id: 'OwnKey' },
)

const models = Type.Array(Type.String())

export const ownKeyListSchema = Type.Object({ data: Type.Array(ownKeySchema), total_count: Type.Integer() })
export const ownKeyReplySchema = Type.Object({ data: ownKeySchema })
export const createdOwnKeySchema = Type.Object({
  data: ownKeySchema,
  sync: Type.Object({ matched: models, unmatched: models, stale: models }),
})
