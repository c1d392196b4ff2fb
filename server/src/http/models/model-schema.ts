import { type Static, type TSchema, Type } from 'typebox'
import { outputModalities } from '#domain/catalogue/model.ts'

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const perMillion = (what: string) => Type.String({ description: `USD for one million ${what}, as an exact decimal.` })
const perToken = (what: string) => Type.String({ description: `USD for one ${what}, as an exact decimal.` })

export const pricingSchema = Type.Object(
  {
    prompt: perMillion('input tokens'),
    completion: perMillion('output tokens'),
    input_cache_read: Type.Optional(perMillion('input tokens read from a cache')),
    input_cache_write: Type.Optional(perMillion('input tokens written to a cache')),
    internal_reasoning: Type.Optional(perMillion('tokens of reasoning, where they have a price of their own')),
    audio: Type.Optional(perMillion('input tokens of sound')),
    audio_output: Type.Optional(perMillion('output tokens of sound')),
    image_token: Type.Optional(perMillion('input tokens of images')),
    image_output: Type.Optional(perMillion('output tokens of images')),
    image: Type.Optional(perToken('image: of those made, or of those given to a model that makes none')),
    image_input: Type.Optional(perToken('image given to a model that makes images')),
    megapixel: Type.Optional(perToken('megapixel of images made')),
    pixel: Type.Optional(perToken('pixel of images made')),
    character: Type.Optional(perToken('character to be spoken')),
    second: Type.Optional(perToken('second of sound to be written down')),
    video_second: Type.Optional(perToken('second of video made')),
    video_second_1080p: Type.Optional(perToken('second of video made in 1080p')),
    video_input_second: Type.Optional(perToken('second of video given')),
    video_token: Type.Optional(perMillion('tokens of video made')),
    citation_token: Type.Optional(perMillion('tokens of quoted sources')),
    web_search: Type.Optional(perToken('search of the web')),
    search: Type.Optional(perToken('search, where searches of the web have no price of their own')),
    request: Type.Optional(perToken('request, beside everything else')),
    request_minimum: Type.Optional(perToken('request at the least, whatever it comes to')),
  },
  {
    $id: 'Pricing',
    description:
      'Only what has a price is there, but for prompt and completion. Where prices depend on the length of the input, those of the lowest tier.',
  },
)
export type Pricing = Static<typeof pricingSchema>

export const pricingTierSchema = Type.Object(
  {
    above_prompt_tokens: Type.Integer({
      description: 'The whole request has these prices when its input is longer than this. An equal count does not.',
    }),
    prompt: perToken('input token'),
    completion: perToken('output token'),
    input_cache_read: Type.Optional(perToken('input token read from a cache')),
    input_cache_write: Type.Optional(perToken('input token written to a cache')),
  },
  { $id: 'PricingTier' },
)
export type PricingTier = Static<typeof pricingTierSchema>

export const pricingVariantSchema = Type.Object(
  {
    price: Type.String({ description: 'A member of `pricing`, in the same unit.', examples: ['video_second'] }),
    usd: Type.String(),
    when: Type.Record(Type.String(), Type.String(), {
      description: 'What a request must be for this price; of several that fit, the one that says most holds.',
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
    created: Type.Integer({ description: 'Unix seconds of the release; 0 where it is not known.' }),
    description: nullable(Type.String()),
    context_length: nullable(Type.Integer()),
    modality: nullable(Type.String({ examples: ['text+image->text'] })),
    architecture: architectureSchema,
    pricing: pricingSchema,
    priced: Type.Boolean({ description: 'False: no price is known, and calls are refused.' }),
    pricing_tiers: Type.Optional(Type.Array(pricingTierSchema)),
    pricing_variants: Type.Optional(
      Type.Array(pricingVariantSchema, {
        description: 'Where prices differ by resolution, sound, quality or the like.',
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
      description: '`end-of-life`: retires within 30 days, and can be called until then.',
    }),
    expiration_date: nullable(Type.String({ description: 'The day on which the model retires.' })),
    links: Type.Object({ details: Type.String() }),
    available: Type.Boolean({
      description: 'Whether it can be called here now. False: the operator has no provider for it.',
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
  return nullable(Type.Object(figures, { description: `${description} Null: too few answers to say.` }))
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
            tag: Type.String({ description: 'The provider, with its region or service tier where it has several.' }),
            context_length: nullable(Type.Integer()),
            max_completion_tokens: nullable(Type.Integer()),
            pricing: pricingSchema,
            quantization: nullable(Type.String()),
            supported_parameters: Type.Array(Type.String()),
            status: Type.Integer({ description: '0: in service. -1: the operator has no account with this provider.' }),
            latency_ms: measuredSchema('Until the first token, over the last five minutes.'),
            tokens_per_second: measuredSchema('From the call to the end of the answer, over the last five minutes.'),
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
      description: `What the models put out: one or more of ${outputModalities.join(', ')}, with commas between, or \`all\`. Text by default.`,
      examples: ['image,video'],
    }),
  ),
  available: Type.Optional(
    Type.String({
      description: '`true` lists what can be called now, `false` the rest. Both by default.',
      examples: ['true'],
    }),
  ),
})
