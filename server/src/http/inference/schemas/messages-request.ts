import { Type } from 'typebox'
import { cacheControl } from './chat-request.ts'
import { routingFields } from './routing-fields.ts'
import { freeObject, oneOf, orNull, sent, text } from './shapes.ts'

const cache = { cache_control: Type.Optional(orNull(cacheControl)) }

const textBlock = sent('MessagesTextBlock', { type: Type.Literal('text'), text: Type.String(), ...cache })

const source = oneOf('MessagesSource', [
  sent('MessagesBase64Source', { type: Type.Literal('base64'), media_type: Type.String(), data: Type.String() }),
  sent('MessagesUrlSource', { type: Type.Literal('url'), url: Type.String() }),
  sent('MessagesTextSource', { type: Type.Literal('text'), media_type: Type.String(), data: Type.String() }),
])

const imageBlock = sent('MessagesImageBlock', { type: Type.Literal('image'), source, ...cache })
const documentBlock = sent('MessagesDocumentBlock', {
  type: Type.Literal('document'),
  source,
  title: Type.Optional(orNull(Type.String())),
  ...cache,
})

const block = oneOf(
  'MessagesBlock',
  [
    textBlock,
    imageBlock,
    documentBlock,
    sent('MessagesToolUse', {
      type: Type.Literal('tool_use'),
      id: Type.String(),
      name: Type.String(),
      input: freeObject('Arguments of the tool call.'),
      ...cache,
    }),
    sent('MessagesToolResult', {
      type: Type.Literal('tool_result'),
      tool_use_id: text('ID of a tool call in an earlier message.'),
      content: Type.Optional(
        Type.Union([Type.String(), Type.Array(Type.Union([textBlock, imageBlock, documentBlock]))]),
      ),
      is_error: Type.Optional(Type.Boolean()),
      ...cache,
    }),
    sent('MessagesThinking', {
      type: Type.Literal('thinking'),
      thinking: Type.String(),
      signature: text('Signature of the thinking block. Send it back unchanged.'),
    }),
    sent('MessagesRedactedThinking', {
      type: Type.Literal('redacted_thinking'),
      data: text('Encrypted thinking. Send it back unchanged.'),
    }),
  ],
  'A content block of a message. Blocks of other types are passed through to upstreams that support them.',
)

const messagesMessage = sent('MessagesMessage', {
  role: Type.Enum(['user', 'assistant']),
  content: Type.Union([Type.String(), Type.Array(block)]),
})

const tool = sent(
  'MessagesTool',
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_-]+$' }),
    description: Type.Optional(Type.String()),
    input_schema: Type.Optional(freeObject('JSON Schema for the arguments. Required for tools that the client runs.')),
    type: Type.Optional(orNull(text('`custom`, or the type of a tool that the upstream runs.'))),
    ...cache,
  },
  'A tool the model can call.',
)

/** The fields of a prompt, for requests and for token counting. */
export const messagesPromptFields = {
  model: text('Model ID in the form `<provider>/<model>`.'),
  messages: Type.Array(messagesMessage, { minItems: 1 }),
  system: Type.Optional(orNull(Type.Union([Type.String(), Type.Array(textBlock)]))),
  tools: Type.Optional(orNull(Type.Array(tool))),
}

export const messagesRequest = sent('MessagesRequest', {
  ...messagesPromptFields,
  max_tokens: Type.Integer({ minimum: 1, description: 'Maximum number of output tokens.' }),
  stream: Type.Optional(
    orNull(Type.Boolean(), 'Whether to stream the response as server-sent events. Defaults to `false`.'),
  ),
  temperature: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: 2 }))),
  top_p: Type.Optional(orNull(Type.Number())),
  top_k: Type.Optional(orNull(Type.Number())),
  stop_sequences: Type.Optional(orNull(Type.Array(Type.String()))),
  tool_choice: Type.Optional(
    sent('MessagesToolChoice', {
      type: Type.Enum(['auto', 'any', 'tool', 'none']),
      name: Type.Optional(text('Name of the tool to call when `type` is `tool`.')),
      disable_parallel_tool_use: Type.Optional(Type.Boolean()),
    }),
  ),
  thinking: Type.Optional(
    sent('MessagesThinkingRequest', {
      type: Type.Enum(['enabled', 'disabled', 'adaptive']),
      budget_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  metadata: Type.Optional(freeObject('Request metadata, such as `user_id`.')),
  ...routingFields,
})
