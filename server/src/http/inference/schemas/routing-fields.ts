import { Type } from 'typebox'
import { freeObject, orNull, sent, text } from './shapes.ts'

const slugs = (description: string) => Type.Optional(orNull(Type.Array(Type.String()), description))

export const providerPreferences = sent(
  'ProviderPreferences',
  {
    order: slugs('Providers to ask first, in this order.'),
    only: slugs('No other provider is asked.'),
    ignore: slugs('These are not asked.'),
    allow_fallbacks: Type.Optional(orNull(Type.Boolean(), 'False: after the first provider no other is asked.')),
    require_parameters: Type.Optional(
      orNull(Type.Boolean(), 'Leave out providers that do not take every field of the request.'),
    ),
    data_collection: Type.Optional(
      orNull(Type.Enum(['allow', 'deny']), '`deny` leaves out providers that may keep prompts.'),
    ),
    quantizations: slugs('For example `["fp8", "bf16"]`.'),
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
      orNull(freeObject('USD for a million `prompt` or `completion` tokens, for one `request` or one `image`.')),
    ),
  },
  'Which providers may serve the request, and in which order.',
)

export const plugin = sent('Plugin', { id: text('`web` searches the web where an upstream can.') })

/** The fields about routing that every conversation endpoint takes. */
export const routingFields = {
  provider: Type.Optional(providerPreferences),
  models: Type.Optional(Type.Array(Type.String(), { description: 'Models to fall back to, in order.' })),
  plugins: Type.Optional(Type.Array(plugin, { description: 'Forwarded to upstreams with plugins.' })),
}
