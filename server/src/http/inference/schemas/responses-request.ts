import { Type } from 'typebox'
import { routingFields } from './routing-fields.ts'
import { freeObject, oneOf, orNull, sent, text } from './shapes.ts'

const block = oneOf(
  'ResponsesInputBlock',
  [
    sent('ResponsesTextBlock', { type: Type.Enum(['input_text', 'output_text']), text: Type.String() }),
    sent('ResponsesImageBlock', {
      type: Type.Literal('input_image'),
      image_url: Type.Optional(orNull(text('An https URL or a data URI.'))),
      detail: Type.Optional(Type.String()),
    }),
    sent('ResponsesFileBlock', {
      type: Type.Literal('input_file'),
      file_data: Type.Optional(text('A base64 data URI.')),
      file_url: Type.Optional(Type.String()),
      filename: Type.Optional(Type.String()),
    }),
    sent('ResponsesAudioBlock', {
      type: Type.Literal('input_audio'),
      input_audio: sent('ResponsesAudio', { data: text('Base64.'), format: Type.String() }),
    }),
    sent('ResponsesRefusalBlock', { type: Type.Literal('refusal'), refusal: Type.String() }),
  ],
  'A block of a message. Upstreams that speak Responses are sent blocks of other types, too.',
)

const content = Type.Union([Type.String(), Type.Array(block)])

const item = oneOf('ResponsesInputItem', [
  sent('ResponsesInputMessage', {
    type: Type.Optional(Type.Literal('message')),
    role: Type.Enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  sent('ResponsesInputCall', {
    type: Type.Literal('function_call'),
    call_id: Type.String(),
    name: Type.String(),
    arguments: text('JSON, as the model wrote it.'),
  }),
  sent('ResponsesInputCallOutput', {
    type: Type.Literal('function_call_output'),
    call_id: Type.String(),
    output: content,
  }),
  sent('ResponsesInputReasoning', {
    type: Type.Literal('reasoning'),
    summary: Type.Array(freeObject('As it came.')),
    encrypted_content: Type.Optional(orNull(text('Return it as it came.'))),
  }),
  sent('ResponsesOtherItem', { type: text('An item of a kind that only some upstreams know.') }),
])

const tool = sent(
  'ResponsesTool',
  {
    type: text('`function`. Tools that a vendor would run itself are dropped.'),
    name: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]+$' })),
    description: Type.Optional(orNull(Type.String())),
    parameters: Type.Optional(orNull(freeObject('A JSON Schema of the arguments.'))),
    strict: Type.Optional(orNull(Type.Boolean())),
  },
  'A function.',
)

export const responsesRequest = sent('ResponsesRequest', {
  model: text('The model, as `<provider>/<model>`.'),
  input: Type.Union([Type.String(), Type.Array(item)], { description: 'The whole conversation.' }),
  instructions: Type.Optional(orNull(Type.String(), 'The system prompt of this call.')),
  stream: Type.Optional(orNull(Type.Boolean(), 'Send the answer as server-sent events. Default false.')),
  max_output_tokens: Type.Optional(orNull(Type.Integer({ minimum: 1 }))),
  temperature: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: 2 }))),
  top_p: Type.Optional(orNull(Type.Number())),
  tools: Type.Optional(orNull(Type.Array(tool))),
  tool_choice: Type.Optional(
    Type.Union([
      Type.Enum(['auto', 'none', 'required']),
      sent('ResponsesToolChoice', { type: Type.String(), name: Type.Optional(Type.String()) }),
    ]),
  ),
  parallel_tool_calls: Type.Optional(orNull(Type.Boolean())),
  text: Type.Optional(
    sent('ResponsesTextRequest', {
      format: Type.Optional(
        sent('ResponsesFormat', {
          type: Type.Enum(['text', 'json_object', 'json_schema']),
          name: Type.Optional(Type.String()),
          schema: Type.Optional(freeObject('A JSON Schema of the answer.')),
          strict: Type.Optional(orNull(Type.Boolean())),
        }),
      ),
      verbosity: Type.Optional(orNull(Type.String())),
    }),
  ),
  reasoning: Type.Optional(
    orNull(
      sent('ResponsesReasoningRequest', {
        effort: Type.Optional(orNull(Type.String())),
        summary: Type.Optional(orNull(Type.String())),
      }),
    ),
  ),
  include: Type.Optional(orNull(Type.Array(text('Such as `reasoning.encrypted_content`.')))),
  metadata: Type.Optional(orNull(freeObject('Returned with the answer.'))),
  store: Type.Optional(orNull(Type.Literal(false), 'Responses are not stored; true is refused.')),
  truncation: Type.Optional(orNull(Type.String())),
  user: Type.Optional(orNull(Type.String())),
  ...routingFields,
})
