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
  },
  'Which providers can serve the request, and in what order.',
)

export const plugin = sent('Plugin', { id: text('Plugin ID. `web` searches the web if the upstream supports it.') })

export const maxCost = Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.String(), Type.Null()], {
  description:
    'The most that the request may cost, in USD. Providers that cost more are skipped, and the output is capped.',
})

/** The routing fields of every conversation endpoint. */
export const routingFields = {
  provider: Type.Optional(providerPreferences),
  models: Type.Optional(Type.Array(Type.String(), { description: 'Fallback models, in the order they are tried.' })),
  max_cost_usd: Type.Optional(maxCost),
  plugins: Type.Optional(Type.Array(plugin, { description: 'Plugins, forwarded to upstreams that support them.' })),
}
