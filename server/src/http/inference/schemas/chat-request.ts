import { type TSchema, Type } from 'typebox'
import { plugin, providerPreferences } from './routing-fields.ts'
import { freeObject, oneOf, orNull, sent, text } from './shapes.ts'

/** A mark after which a prompt may be cached, for providers that want to be told. */
export const cacheControl = sent('CacheControl', {
  type: Type.Literal('ephemeral'),
  ttl: Type.Optional(text('`5m` or `1h`.')),
})
const cache = { cache_control: Type.Optional(orNull(cacheControl)) }

const textPart = sent('ChatTextPart', { type: Type.Literal('text'), text: Type.String(), ...cache })

const contentPart = oneOf(
  'ChatContentPart',
  [
    textPart,
    sent('ChatImagePart', {
      type: Type.Literal('image_url'),
      image_url: sent('ChatImageUrl', {
        url: text('An https URL, or a data URI such as data:image/png;base64,…'),
        detail: Type.Optional(text('`auto`, `low` or `high`.')),
      }),
      ...cache,
    }),
    sent('ChatFilePart', {
      type: Type.Literal('file'),
      file: sent('ChatFile', {
        file_data: Type.Optional(text('A base64 data URI.')),
        filename: Type.Optional(Type.String()),
        file_id: Type.Optional(text('A file that the upstream keeps.')),
      }),
      ...cache,
    }),
    sent('ChatAudioPart', {
      type: Type.Literal('input_audio'),
      input_audio: sent('ChatAudio', { data: text('Plain base64.'), format: text('Such as `wav` or `mp3`.') }),
    }),
    sent('ChatVideoPart', {
      type: Type.Literal('video_url'),
      video_url: sent('ChatVideoUrl', { url: Type.String() }),
    }),
  ],
  'A part of a message. Parts of other types pass through.',
)

const content = Type.Union([Type.String(), Type.Array(contentPart)])
const texts = Type.Union([Type.String(), Type.Array(textPart)])
const speaker = Type.Optional(text('Tells speakers of one role apart.'))

export const toolCall = sent('ChatToolCall', {
  id: Type.String(),
  type: Type.Literal('function'),
  function: sent('ChatFunctionCall', {
    name: Type.String(),
    arguments: text('JSON, as the model wrote it.'),
  }),
  extra_content: Type.Optional(freeObject('Signatures of a vendor. Return it as it came.')),
})

export const reasoningDetail = sent(
  'ReasoningDetail',
  {
    type: Type.Enum(['reasoning.text', 'reasoning.summary', 'reasoning.encrypted']),
    text: Type.Optional(Type.String()),
    summary: Type.Optional(Type.String()),
    data: Type.Optional(text('Thinking that only its maker can read.')),
    signature: Type.Optional(orNull(Type.String())),
    id: Type.Optional(orNull(Type.String())),
    index: Type.Optional(Type.Integer({ description: 'Details of one index are pieces of one block.' })),
    content_offset: Type.Optional(
      Type.Integer({ description: 'Length of the message text that came before this block; left out for 0.' }),
    ),
    format: Type.Optional(orNull(Type.String(), 'Whose thinking it is, such as `anthropic-claude-v1`.')),
  },
  'A piece of thinking. Return it as it came, so that the vendor accepts its own signature.',
)

const message = oneOf('ChatMessage', [
  sent('ChatSystemMessage', { role: Type.Enum(['system', 'developer']), content: texts, name: speaker, ...cache }),
  sent('ChatUserMessage', { role: Type.Literal('user'), content, name: speaker, ...cache }),
  sent('ChatAssistantMessage', {
    role: Type.Literal('assistant'),
    content: Type.Optional(orNull(content)),
    refusal: Type.Optional(orNull(Type.String())),
    tool_calls: Type.Optional(orNull(Type.Array(toolCall))),
    reasoning: Type.Optional(orNull(Type.String())),
    reasoning_details: Type.Optional(orNull(Type.Array(reasoningDetail))),
    name: speaker,
    ...cache,
  }),
  sent('ChatToolMessage', {
    role: Type.Literal('tool'),
    content,
    tool_call_id: text('The id of a call in an earlier message.'),
    ...cache,
  }),
])

const tool = sent('ChatTool', {
  type: Type.Literal('function'),
  function: sent('ChatFunction', {
    name: Type.String({ pattern: '^[A-Za-z0-9_-]+$' }),
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(freeObject('A JSON Schema of the arguments.')),
    strict: Type.Optional(orNull(Type.Boolean())),
  }),
  ...cache,
})

const toolChoice = oneOf('ChatToolChoice', [
  Type.Enum(['auto', 'none', 'required']),
  sent('ChatNamedToolChoice', {
    type: Type.Literal('function'),
    function: sent('ChatToolName', { name: Type.String() }),
  }),
])

const responseFormat = oneOf('ChatResponseFormat', [
  sent('TextFormat', { type: Type.Literal('text') }),
  sent('JsonObjectFormat', { type: Type.Literal('json_object') }),
  sent('JsonSchemaFormat', {
    type: Type.Literal('json_schema'),
    json_schema: sent('JsonSchemaDefinition', {
      name: Type.String(),
      schema: freeObject('A JSON Schema of the answer.'),
      description: Type.Optional(Type.String()),
      strict: Type.Optional(orNull(Type.Boolean())),
    }),
  }),
])

const reasoning = sent('ReasoningRequest', {
  effort: Type.Optional(orNull(Type.String(), 'Such as `minimal`, `low`, `medium` or `high`.')),
  max_tokens: Type.Optional(orNull(Type.Integer({ minimum: 1 }), 'The most tokens of thinking.')),
  exclude: Type.Optional(orNull(Type.Boolean(), 'Think, but show nothing of it.')),
  enabled: Type.Optional(orNull(Type.Boolean())),
})

const thinking = sent('ThinkingRequest', {
  type: Type.Optional(text('`enabled`, `disabled` or `adaptive`.')),
  budget_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
})

/** Shapes of the fields whose type alone says too little; their descriptions are those of the table of fields. */
export const chatFieldShapes: Readonly<Record<string, TSchema>> = {
  messages: Type.Array(message, { minItems: 1 }),
  stop: Type.Union([Type.String(), Type.Array(Type.String())]),
  tools: Type.Array(tool),
  tool_choice: toolChoice,
  response_format: responseFormat,
  plugins: Type.Array(plugin),
  modalities: Type.Array(Type.Enum(['text', 'image', 'audio'])),
  logit_bias: Type.Record(Type.String(), Type.Number({ minimum: -100, maximum: 100 })),
  reasoning,
  thinking,
  provider: providerPreferences,
  stream_options: sent('StreamOptions', { include_usage: Type.Optional(Type.Boolean()) }),
}
