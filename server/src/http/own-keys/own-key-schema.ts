import { Type } from 'typebox'
import { fallbackModes, ownKeyProtocols } from '#domain/routing/own-keys.ts'

const protocols = ownKeyProtocols.map((name) => Type.Literal(name))
const protocol = Type.Union(protocols, { description: 'API protocol of the provider, if `provider` is not set.' })
const provider = Type.String({
  description:
    "A provider that Weir knows, such as `azure` or `amazon-bedrock`. It decides the protocol, and also the base URL if all customers of the provider share one. `apiKey` has that provider's format, for example an AWS key pair `ACCESS:SECRET` or the JSON file of a Google service account.",
})
const optionalText = Type.Union([Type.String(), Type.Null()])
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
  baseUrl: Type.Optional(baseUrl),
  provider: Type.Optional(provider),
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

const ownKeySchema = Type.Object(
  {
    id: Type.String(),
    name,
    baseUrl,
    keyMask: Type.String({ description: 'The masked key, or the email address of a service account.' }),
    protocol: Type.Union([...protocols, Type.Null()], { description: 'Null if the key has a provider.' }),
    provider: optionalText,
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
export const ownKeyProvidersSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        slug: Type.String(),
        name: Type.String(),
        baseUrl: Type.Union([Type.String(), Type.Null()], {
          description: 'Null if each customer has a separate address. Then a key for the provider needs `baseUrl`.',
        }),
      },
      { $id: 'OwnKeyProvider' },
    ),
  ),
})
export const ownKeyReplySchema = Type.Object({ data: ownKeySchema })
export const createdOwnKeySchema = Type.Object({
  data: ownKeySchema,
  sync: Type.Object({ matched: models, unmatched: models, stale: models }),
})
