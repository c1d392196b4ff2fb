import { Type } from 'typebox'
import { ownerFields } from '../owner-schema.ts'
import { ofOrganization, optionalCount, optionalText, resetName, tagsSchema, usd } from '../schema-types.ts'
import { searchCountsSchema } from '../search-counts-schema.ts'

const rateLimit = Type.Object(
  {
    requests: Type.Integer({ description: 'Maximum number of requests per interval.' }),
    interval: Type.String(),
    note: Type.String(),
  },
  { $id: 'RateLimit' },
)

const limit = Type.Union([Type.Number(), Type.Null()], {
  description: 'Spend limit of the key in USD, or null for no limit.',
})

export const keyInfoSchema = Type.Object({
  data: Type.Object({
    label: Type.String({ description: 'Name of the key.' }),
    limit,
    limit_remaining: usd("Remaining spend limit, or the paying wallet's balance if the key has no limit"),
    limit_reset: resetName,
    expires_at: optionalText('When the key expires, in ISO 8601 format, or null for never.'),
    is_free_tier: Type.Boolean({ description: 'Whether the balance of the paying wallet is below $10.' }),
    is_management_key: Type.Boolean(),
    is_provisioning_key: Type.Boolean({ description: 'Same as `is_management_key`.' }),
    usage: usd('Total spend of this key'),
    usage_daily: usd('Spend since 00:00 UTC'),
    usage_weekly: usd('Spend since Monday 00:00 UTC'),
    usage_monthly: usd('Spend since 00:00 UTC on the first of the month'),
    requests: Type.Integer(),
    requests_daily: Type.Integer(),
    requests_weekly: Type.Integer(),
    requests_monthly: Type.Integer(),
    rate_limit: rateLimit,
  }),
})

export const authKeySchema = Type.Object({
  data: Type.Object({
    label: Type.String({ description: 'Name of the key.' }),
    usage: usd('Total spend of this key'),
    limit,
    limit_remaining: usd("Remaining spend limit, or the paying wallet's balance if the key has no limit"),
    is_free_tier: Type.Boolean({ description: 'Whether the balance of the paying wallet is below $10.' }),
    is_provisioning_key: Type.Boolean(),
    rate_limit: rateLimit,
  }),
})

export const creditsSchema = Type.Object({
  data: Type.Object({
    total_credits: usd('Total amount credited to the paying wallet'),
    total_usage: usd('Total amount charged to the paying wallet'),
    in_customer_balances: Type.Optional(
      usd('The part of the credit that is in the balances of your customers. Omitted if it is zero'),
    ),
    top_up_url: Type.Optional(
      Type.String({ description: 'URL to buy credit. Omitted if the gateway does not sell credit.' }),
    ),
  }),
})

export const organizationQuerySchema = Type.Object({ organization: ofOrganization })

export const generationQuerySchema = Type.Object({
  organization: ofOrganization,
  id: Type.String({ description: 'Generation ID, as in the response and its `X-Generation-Id` header.' }),
})

const usage = Type.Object(
  {
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    cost: usd('Amount charged'),
    prompt_tokens_details: Type.Record(Type.String(), Type.Integer()),
    completion_tokens_details: Type.Record(Type.String(), Type.Integer()),
    ...searchCountsSchema,
    media: Type.Optional(
      Type.Object(
        {
          output_images: Type.Optional(Type.Integer()),
          search_units: Type.Optional(Type.Integer()),
          output_pixels: Type.Optional(Type.Integer()),
          input_images: Type.Optional(Type.Integer()),
          input_pixels: Type.Optional(Type.Integer()),
          input_characters: Type.Optional(Type.Integer()),
          input_seconds: Type.Optional(Type.Number()),
          variant: Type.Optional(Type.Record(Type.String(), Type.String())),
        },
        { description: 'Units counted in addition to tokens. Absent if there are none.' },
      ),
    ),
  },
  { $id: 'GenerationUsage' },
)

const receipt = Type.Object(
  {
    price_id: Type.String(),
    price_valid_from: optionalText('When the price took effect, in ISO 8601 format.'),
    lines: Type.Array(
      Type.Object({ item: Type.String(), count: Type.Number(), unit_price_usd: Type.String() }, { $id: 'ReceiptLine' }),
    ),
    total: usd('Sum of the lines, rounded up once to nine decimal places'),
  },
  { $id: 'Receipt' },
)

const routing = Type.Object(
  {
    candidates: Type.Array(
      Type.Object({
        model: Type.String(),
        provider: Type.String(),
        prompt_price_usd: optionalText(
          'Price in USD per prompt token at the time of the request. Null if not recorded or not charged.',
        ),
        completion_price_usd: optionalText(
          'Price in USD per completion token at the time of the request. Null if not recorded or not charged.',
        ),
        would_cost: Type.Union([Type.Number(), Type.Null()], {
          description: 'Cost of the same usage at this price, in USD. Null if nothing was charged.',
        }),
      }),
      { description: 'Candidates that could serve the request, in the order they are tried.' },
    ),
    excluded: Type.Array(
      Type.Object({
        model: Type.String(),
        provider: optionalText('Excluded provider, or null if the whole model was excluded.'),
        rule: Type.String(),
      }),
      { description: 'Excluded candidates, each with the rule that excluded it.' },
    ),
    attempts: Type.Array(
      Type.Object({
        model: Type.String(),
        provider: Type.String(),
        outcome: Type.String(),
        status: optionalCount('HTTP status returned by the upstream.'),
        duration_ms: Type.Integer(),
      }),
      { description: 'Upstream attempts, in order.' },
    ),
    auto_tier: optionalText('Tier selected by `auto`, or null.'),
  },
  { $id: 'GenerationRouting', description: 'How the request was routed to an upstream.' },
)

export const generationSchema = Type.Object({
  data: Type.Object(
    {
      id: Type.String(),
      model: optionalText('Model that served the request.'),
      provider: optionalText('Provider that served the request.'),
      provider_name: optionalText('Same as `provider`.'),
      created_at: Type.String({ description: 'When the request started, in ISO 8601 format.' }),
      app_name: optionalText('Application name from the `X-Title` header.'),
      customer: Type.Optional(
        Type.String({ description: 'The customer that the request named. Missing if it named none.' }),
      ),
      run: Type.Optional(Type.String({ description: 'Your own ID of the run. Missing if the request named none.' })),
      customer_price: Type.Optional(
        usd('Cost with your markup for this customer. Missing if the request named no customer'),
      ),
      user: Type.Optional(
        Type.String({
          description:
            'Your own ID of the user, from the body. Missing if the body named none, and for customer tokens.',
        }),
      ),
      tags: tagsSchema,
      api_key_id: Type.String({ description: 'ID of the API key that made the request.' }),
      ...ownerFields,
      cache: Type.Optional(
        Type.Literal('hit', { description: 'Present if the response cache answered. No provider was called.' }),
      ),
      cached_from: Type.Optional(Type.String({ description: 'ID of the request that first got the cached answer.' })),
      cache_price_percent: Type.Optional(
        Type.Integer({ description: 'Price of the cached answer, in percent of the list price.' }),
      ),
      finish_reason: optionalText('Finish reason, as in the response.'),
      native_finish_reason: optionalText('Finish reason as reported by the provider.'),
      status: optionalCount('HTTP status returned by the upstream.'),
      duration_ms: Type.Integer(),
      first_token_ms: optionalCount('Time to first token in milliseconds, or null if no token arrived.'),
      throughput: Type.Number({ description: 'Completion tokens per second, over the whole request.' }),
      latency: Type.Integer({ description: 'Duration of the whole request in milliseconds.' }),
      generation_time: Type.Integer({
        description: 'Time from the first token to the end of the request, in milliseconds.',
      }),
      usage,
      cost_breakdown: Type.Object({
        subtotal: usd('Cost before the discount for cached tokens'),
        cache_discount: usd('Amount saved by cached tokens'),
        total: usd('Amount charged'),
      }),
      total_cost: usd('Amount charged'),
      cache_discount: usd('Amount saved by cached tokens'),
      tokens_prompt: Type.Integer(),
      tokens_completion: Type.Integer(),
      native_tokens_prompt: Type.Integer(),
      native_tokens_completion: Type.Integer(),
      native_tokens_reasoning: Type.Integer(),
      native_tokens_cached: Type.Integer(),
      streamed: Type.Boolean(),
      cancelled: Type.Boolean(),
      is_byok: Type.Boolean(),
      is_failover: Type.Boolean({
        description: 'Whether an upstream other than the first one tried served the request.',
      }),
      routing,
      hold: Type.Object(
        {
          held: usd('Amount held before the request was sent upstream'),
          charged: usd('Amount charged'),
          returned: usd('Amount of the hold that was released'),
        },
        { description: 'Hold placed for the request, and how it was settled.' },
      ),
      refund_reason: optionalText('Why the request was not charged, or null if it was charged.'),
      absorbed: Type.Optional(
        usd('Cost beyond the hold, credit, and limits, absorbed by the operator (absent if zero)'),
      ),
      usage_doubted: Type.Optional(
        Type.Boolean({
          description:
            'Present when the provider reported more tokens than the request could use; the charge covers only the hold and the delivered output',
        }),
      ),
      receipt: Type.Union([receipt, Type.Null()]),
    },
    { $id: 'Generation' },
  ),
})
