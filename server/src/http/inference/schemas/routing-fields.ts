import { Type } from 'typebox'
import { freeObject, orNull, sent, text } from './shapes.ts'

const slugs = (description: string) => Type.Optional(orNull(Type.Array(Type.String()), description))

export const providerPreferences = sent(
  'ProviderPreferences',
  {
    order: slugs('Providers to try first, in this order.'),
    only: slugs('Use only these providers.'),
    ignore: slugs('Never use these providers.'),
    allow_fallbacks: Type.Optional(
      orNull(Type.Boolean(), 'Whether to try other providers after the first one fails. Defaults to `true`.'),
    ),
    require_parameters: Type.Optional(
      orNull(Type.Boolean(), 'Whether to exclude providers that do not accept every field of the request.'),
    ),
    data_collection: Type.Optional(
      orNull(
        Type.Enum(['allow', 'deny']),
        'Whether providers may store prompts. `deny` excludes providers that may do so.',
      ),
    ),
    quantizations: slugs('Quantizations to allow, such as `["fp8", "bf16"]`.'),
    sort: Type.Optional(
      Type.Union([
        Type.Enum(['price', 'throughput', 'latency']),
        sent('ProviderSort', {
          by: Type.Enum(['price', 'throughput', 'latency']),
          partition: Type.Optional(Type.Enum(['model', 'none'])),
        }),
        Type.Null(),
      ]),
    ),
    max_price: Type.Optional(
      orNull(
        freeObject('Maximum price in USD per million `prompt` or `completion` tokens, per `request`, or per `image`.'),
      ),
    ),
    hedge_after_ms: Type.Optional(
      Type.Union([Type.Integer({ minimum: 50, maximum: 60_000 }), Type.Literal('auto'), Type.Null()], {
        description:
          'Sends the request to a second provider if the first has sent nothing for this many milliseconds, or with `auto`, within its 95th latency percentile. The first byte wins, and you pay only for that answer. At most 5 % of your requests are hedged.',
      }),
    ),
  },
  'Which providers can serve the request, and in what order.',
)

export const plugin = sent('Plugin', { id: text('Plugin ID. `web` searches the web if the upstream supports it.') })

export const maxCost = Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.String(), Type.Null()], {
  description:
    'The most that the request may cost, in USD. Providers that cost more are skipped, and the output is capped.',
})

export const cacheWish = Type.Union(
  [
    Type.Boolean(),
    sent('CacheWish', {
      ttl_seconds: Type.Integer({
        minimum: 1,
        description: 'Maximum age of a cached answer, and the time that a new one stays cached.',
      }),
    }),
    Type.Null(),
  ],
  {
    description:
      'Whether the response cache may answer this request and cache its answer. By default, the setting of the key or the organization applies.',
  },
)

/** The routing fields of every conversation endpoint. */
export const routingFields = {
  provider: Type.Optional(providerPreferences),
  models: Type.Optional(Type.Array(Type.String(), { description: 'Fallback models, in the order they are tried.' })),
  max_cost_usd: Type.Optional(maxCost),
  cache: Type.Optional(cacheWish),
  plugins: Type.Optional(Type.Array(plugin, { description: 'Plugins, forwarded to upstreams that support them.' })),
}
