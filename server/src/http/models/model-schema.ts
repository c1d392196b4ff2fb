import { type Static, type TSchema, Type } from 'typebox'
import { outputModalities } from '#domain/catalogue/model.ts'

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const perMillion = (what: string) =>
  Type.String({ description: `Price in USD per million ${what}, as an exact decimal string.` })
const perToken = (what: string) => Type.String({ description: `Price in USD per ${what}, as an exact decimal string.` })

export const pricingSchema = Type.Object(
  {
    prompt: perMillion('input tokens'),
    completion: perMillion('output tokens'),
    input_cache_read: Type.Optional(perMillion('input tokens read from a cache')),
    input_cache_write: Type.Optional(perMillion('input tokens written to a cache')),
    internal_reasoning: Type.Optional(perMillion('reasoning tokens, if priced separately')),
    audio: Type.Optional(perMillion('audio input tokens')),
    audio_output: Type.Optional(perMillion('audio output tokens')),
    image_token: Type.Optional(perMillion('image input tokens')),
    image_output: Type.Optional(perMillion('image output tokens')),
    image: Type.Optional(perToken('generated image, or per input image for models that do not generate images')),
    image_input: Type.Optional(perToken('input image, for models that generate images')),
    megapixel: Type.Optional(perToken('megapixel of generated images')),
    pixel: Type.Optional(perToken('pixel of generated images')),
    character: Type.Optional(perToken('character of speech input')),
    second: Type.Optional(perToken('second of audio to transcribe')),
    video_second: Type.Optional(perToken('second of generated video')),
    video_second_1080p: Type.Optional(perToken('second of generated 1080p video')),
    video_input_second: Type.Optional(perToken('second of input video')),
    video_token: Type.Optional(perMillion('video output tokens')),
    citation_token: Type.Optional(perMillion('citation tokens')),
    web_search: Type.Optional(perToken('web search')),
    search: Type.Optional(perToken('search, if web searches are not priced separately')),
    request: Type.Optional(perToken('request, in addition to all other prices')),
    request_minimum: Type.Optional(perToken('request, as a minimum charge')),
  },
  {
    $id: 'Pricing',
    description:
      'Lists only units that have a price, and always `prompt` and `completion`. If prices depend on input length, these are the prices of the lowest tier.',
  },
)
export type Pricing = Static<typeof pricingSchema>

const pricingTierSchema = Type.Object(
  {
    above_prompt_tokens: Type.Integer({
      description: 'These prices apply to the whole request when its input has more than this many tokens.',
    }),
    prompt: perToken('input token'),
    completion: perToken('output token'),
    input_cache_read: Type.Optional(perToken('input token read from a cache')),
    input_cache_write: Type.Optional(perToken('input token written to a cache')),
  },
  { $id: 'PricingTier' },
)
export type PricingTier = Static<typeof pricingTierSchema>

const pricingVariantSchema = Type.Object(
  {
    price: Type.String({
      description: 'Name of a field in `pricing`. `usd` uses the same unit.',
      examples: ['video_second'],
    }),
    usd: Type.String(),
    when: Type.Record(Type.String(), Type.String(), {
      description:
        'Request properties that this price applies to. If several variants match, the most specific one applies.',
      examples: [{ resolution: '1080p', audio: 'true' }],
    }),
  },
  { $id: 'PricingVariant' },
)
export type PricingVariant = Static<typeof pricingVariantSchema>

export const architectureSchema = Type.Object(
  {
    modality: nullable(Type.String({ examples: ['text+image->text'] })),
    input_modalities: Type.Array(Type.String()),
    output_modalities: Type.Array(Type.Enum(outputModalities)),
    tokenizer: nullable(Type.String()),
    instruct_type: Type.Null(),
  },
  { $id: 'Architecture' },
)
export type Architecture = Static<typeof architectureSchema>

export const modelSchema = Type.Object(
  {
    id: Type.String({ examples: ['openai/gpt-5'] }),
    canonical_slug: Type.String(),
    object: Type.Literal('model'),
    type: Type.Literal('model'),
    name: Type.String(),
    display_name: Type.String(),
    owned_by: Type.String(),
    created: Type.Integer({ description: 'Release time in Unix seconds, or 0 if unknown.' }),
    description: nullable(Type.String()),
    context_length: nullable(Type.Integer()),
    modality: nullable(Type.String({ examples: ['text+image->text'] })),
    architecture: architectureSchema,
    pricing: pricingSchema,
    priced: Type.Boolean({
      description: 'Whether the model has a known price. If false, requests to it are rejected.',
    }),
    pricing_tiers: Type.Optional(Type.Array(pricingTierSchema)),
    pricing_variants: Type.Optional(
      Type.Array(pricingVariantSchema, {
        description: 'Prices that depend on resolution, audio, quality, or similar properties.',
      }),
    ),
    top_provider: Type.Object(
      {
        context_length: nullable(Type.Integer()),
        max_completion_tokens: Type.Optional(Type.Integer()),
        is_moderated: Type.Boolean(),
      },
      { $id: 'TopProvider' },
    ),
    supported_parameters: Type.Optional(Type.Array(Type.String())),
    per_request_limits: Type.Null(),
    default_parameters: Type.Null(),
    supported_voices: nullable(Type.Array(Type.String())),
    knowledge_cutoff: nullable(Type.String()),
    status: Type.Union([Type.Literal('active'), Type.Literal('end-of-life')], {
      description: '`end-of-life` means that the model retires within 30 days and can be called until then.',
    }),
    expiration_date: nullable(Type.String({ description: 'Date on which the model retires.' })),
    links: Type.Object({ details: Type.String() }),
    available: Type.Boolean({
      description: 'Whether the model can be called now. False if the operator has no provider for it.',
    }),
  },
  { $id: 'Model', title: 'Model' },
)
export type ModelView = Static<typeof modelSchema>

export const modelListSchema = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(modelSchema),
    total_count: Type.Integer(),
    has_more: Type.Literal(false),
    links: Type.Object({ next: Type.Null() }),
  },
  { $id: 'ModelList', title: 'ModelList' },
)
export type ModelListView = Static<typeof modelListSchema>

function measuredSchema(description: string) {
  const figures = { median: Type.Number(), p95: Type.Number() }
  return nullable(Type.Object(figures, { description: `${description} Null if there are too few responses.` }))
}

export const modelOffersSchema = Type.Object(
  {
    data: Type.Object({
      id: Type.String(),
      name: Type.String(),
      created: Type.Integer(),
      description: nullable(Type.String()),
      architecture: architectureSchema,
      endpoints: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            provider_name: Type.String(),
            tag: Type.String({ description: 'Provider, with its region or service tier if it has several.' }),
            context_length: nullable(Type.Integer()),
            max_completion_tokens: nullable(Type.Integer()),
            pricing: pricingSchema,
            quantization: nullable(Type.String()),
            supported_parameters: Type.Array(Type.String()),
            status: Type.Integer({
              description: '0 if in service, or -1 if the operator has no account with this provider.',
            }),
            latency_ms: measuredSchema('Time to first token in milliseconds, over the last five minutes.'),
            tokens_per_second: measuredSchema(
              'Tokens per second from the start of the request to the end of the response, over the last five minutes.',
            ),
          },
          { $id: 'ModelEndpoint' },
        ),
      ),
    }),
  },
  { $id: 'ModelEndpoints', title: 'ModelEndpoints' },
)
export type ModelOffersView = Static<typeof modelOffersSchema>

export const modelListQuerySchema = Type.Object({
  output_modalities: Type.Optional(
    Type.String({
      description: `Output modalities to list: one or more of ${outputModalities.join(', ')}, separated by commas, or \`all\`. Defaults to text.`,
      examples: ['image,video'],
    }),
  ),
  available: Type.Optional(
    Type.String({
      description:
        '`true` lists only models that can be called now; `false` lists only the others. Lists both by default.',
      examples: ['true'],
    }),
  ),
})
