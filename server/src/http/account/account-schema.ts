import { Type } from 'typebox'
import { ofOrganization, optionalCount, optionalText, usd } from '../schema-types.ts'
import { searchCountsSchema } from '../search-counts-schema.ts'

const rateLimit = Type.Object(
  {
    requests: Type.Integer({ description: 'Requests per interval' }),
    interval: Type.String(),
    note: Type.String(),
  },
  { $id: 'RateLimit' },
)

const limit = Type.Union([Type.Number(), Type.Null()], { description: "The key's spend cap, USD" })

export const keyInfoSchema = Type.Object({
  data: Type.Object({
    label: Type.String({ description: "The key's name" }),
    limit,
    limit_remaining: usd("What is left of the cap; without one, the paying wallet's balance"),
    limit_reset: optionalText('`daily`, `weekly`, `monthly`, or null for a cap over the whole life'),
    expires_at: optionalText('ISO 8601'),
    is_free_tier: Type.Boolean({ description: 'Whether the balance is below $10' }),
    is_management_key: Type.Boolean(),
    is_provisioning_key: Type.Boolean({ description: 'The same as `is_management_key`' }),
    usage: usd('Spent with this key, overall'),
    usage_daily: usd('Since 00:00 UTC'),
    usage_weekly: usd('Since Monday 00:00 UTC'),
    usage_monthly: usd('Since the 1st, 00:00 UTC'),
    requests: Type.Integer(),
    requests_daily: Type.Integer(),
    requests_weekly: Type.Integer(),
    requests_monthly: Type.Integer(),
    rate_limit: rateLimit,
  }),
})

export const authKeySchema = Type.Object({
  data: Type.Object({
    label: Type.String({ description: "The key's name" }),
    usage: usd('Spent with this key, overall'),
    limit,
    limit_remaining: usd("What is left of the cap; without one, the paying wallet's balance"),
    is_free_tier: Type.Boolean({ description: 'Whether the balance is below $10' }),
    is_provisioning_key: Type.Boolean(),
    rate_limit: rateLimit,
  }),
})

export const creditsSchema = Type.Object({
  data: Type.Object({
    total_credits: usd('All that was ever credited to the paying wallet'),
    total_usage: usd('All that was ever charged to it'),
    top_up_url: Type.Optional(Type.String({ description: 'Where to buy credit; left out where none is sold' })),
  }),
})

export const organizationQuerySchema = Type.Object({ organization: ofOrganization })

export const generationQuerySchema = Type.Object({
  organization: ofOrganization,
  id: Type.String({ description: 'As in the answer and its `X-Generation-Id` header' }),
})

const usage = Type.Object(
  {
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    cost: usd('What was charged'),
    prompt_tokens_details: Type.Record(Type.String(), Type.Integer()),
    completion_tokens_details: Type.Record(Type.String(), Type.Integer()),
    ...searchCountsSchema,
    media: Type.Optional(
      Type.Object(
        {
          output_images: Type.Optional(Type.Integer()),
          output_pixels: Type.Optional(Type.Integer()),
          input_images: Type.Optional(Type.Integer()),
          input_pixels: Type.Optional(Type.Integer()),
          input_characters: Type.Optional(Type.Integer()),
          input_seconds: Type.Optional(Type.Number()),
          variant: Type.Optional(Type.Record(Type.String(), Type.String())),
        },
        { description: 'What was counted beside tokens; absent where nothing was' },
      ),
    ),
  },
  { $id: 'GenerationUsage' },
)

const receipt = Type.Object(
  {
    price_id: Type.String(),
    price_valid_from: optionalText('ISO 8601'),
    lines: Type.Array(
      Type.Object({ item: Type.String(), count: Type.Number(), unit_price_usd: Type.String() }, { $id: 'ReceiptLine' }),
    ),
    total: usd('The sum of the lines, rounded up once to a billionth of a dollar'),
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
          'USD for one prompt token at that time; null where it was not kept or not charged',
        ),
        completion_price_usd: optionalText('The same for one completion token'),
        would_cost: Type.Union([Type.Number(), Type.Null()], {
          description: 'What the same counts come to at this price, USD; null where nothing was charged',
        }),
      }),
      { description: 'Who could have served it, in the order of trying' },
    ),
    excluded: Type.Array(
      Type.Object({ model: Type.String(), provider: optionalText('Null: the model as a whole'), rule: Type.String() }),
      { description: 'Who was left out, and by which rule' },
    ),
    attempts: Type.Array(
      Type.Object({
        model: Type.String(),
        provider: Type.String(),
        outcome: Type.String(),
        status: optionalCount("The upstream's HTTP status"),
        duration_ms: Type.Integer(),
      }),
      { description: 'Who was asked, in order' },
    ),
    auto_tier: optionalText('The tier that `auto` chose'),
  },
  { $id: 'GenerationRouting', description: 'How the request found its upstream' },
)

export const generationSchema = Type.Object({
  data: Type.Object(
    {
      id: Type.String(),
      model: optionalText('The model that served the request'),
      provider: optionalText('Who served it'),
      provider_name: optionalText('The same as `provider`'),
      created_at: Type.String({ description: 'ISO 8601' }),
      app_name: optionalText('From the `X-Title` header'),
      finish_reason: optionalText('As in the answer'),
      native_finish_reason: optionalText("The provider's own word"),
      status: optionalCount("The upstream's HTTP status"),
      duration_ms: Type.Integer(),
      first_token_ms: optionalCount('Until the first token; null when none came'),
      throughput: Type.Number({ description: 'Completion tokens per second of the whole request' }),
      latency: Type.Integer({ description: 'Milliseconds, the whole request' }),
      generation_time: Type.Integer({ description: 'Milliseconds from the first token on' }),
      usage,
      cost_breakdown: Type.Object({
        subtotal: usd('Without the discount for cached tokens'),
        cache_discount: usd('Saved by cached tokens'),
        total: usd('What was charged'),
      }),
      total_cost: usd('What was charged'),
      cache_discount: usd('Saved by cached tokens'),
      tokens_prompt: Type.Integer(),
      tokens_completion: Type.Integer(),
      native_tokens_prompt: Type.Integer(),
      native_tokens_completion: Type.Integer(),
      native_tokens_reasoning: Type.Integer(),
      native_tokens_cached: Type.Integer(),
      streamed: Type.Boolean(),
      cancelled: Type.Boolean(),
      is_byok: Type.Boolean(),
      is_failover: Type.Boolean({ description: 'Whether another upstream answered than the one asked first' }),
      routing,
      hold: Type.Object(
        {
          held: usd('What was reserved before the request went out'),
          charged: usd('What of it was charged'),
          returned: usd('What was given back'),
        },
        { description: 'The money of this request' },
      ),
      refund_reason: optionalText('Why it cost nothing; null when it was charged'),
      absorbed: Type.Optional(
        usd(
          'What the request came to beyond the hold, the credit and the limits; the operator bears it. Absent when zero',
        ),
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
