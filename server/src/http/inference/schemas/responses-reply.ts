import { Type } from 'typebox'
import { ownKeyCost } from './own-key-cost.ts'
import { closed, count, freeObject, oneOf, orNull, passing, settledCost, text } from './shapes.ts'

const usage = closed(
  'ResponsesUsage',
  {
    input_tokens: count(),
    input_tokens_details: closed('ResponsesInputTokens', {
      cached_tokens: count(),
      cache_write_tokens: Type.Optional(count()),
    }),
    output_tokens: count(),
    output_tokens_details: closed('ResponsesOutputTokens', { reasoning_tokens: count() }),
    total_tokens: count(),
    cost: settledCost,
    ...ownKeyCost,
  },
  'What was counted and charged.',
)

export const contentPart = oneOf('ResponsesContentPart', [
  passing('ResponsesOutputText', {
    type: Type.Literal('output_text'),
    text: Type.String(),
    annotations: Type.Optional(Type.Array(freeObject('As the upstream gives it.'))),
    logprobs: Type.Optional(Type.Array(freeObject('As the upstream gives it.'))),
  }),
  passing('ResponsesRefusal', { type: Type.Literal('refusal'), refusal: Type.String() }),
  passing('ResponsesReasoningText', { type: Type.Literal('reasoning_text'), text: Type.String() }),
])

export const summaryPart = passing('ResponsesSummaryPart', { type: Type.Literal('summary_text'), text: Type.String() })

const status = Type.Optional(orNull(Type.Enum(['in_progress', 'completed', 'incomplete'])))

export const outputItem = oneOf('ResponsesOutputItem', [
  passing('ResponsesMessage', {
    id: Type.String(),
    type: Type.Literal('message'),
    status,
    role: Type.Literal('assistant'),
    content: Type.Array(contentPart),
  }),
  passing('ResponsesReasoning', {
    id: Type.String(),
    type: Type.Literal('reasoning'),
    status,
    summary: Type.Array(summaryPart),
    content: Type.Optional(orNull(Type.Array(contentPart))),
    encrypted_content: Type.Optional(orNull(text('Return it as it came.'))),
  }),
  passing('ResponsesFunctionCall', {
    id: Type.Optional(Type.String()),
    type: Type.Literal('function_call'),
    status,
    call_id: Type.String(),
    name: Type.String(),
    arguments: text('JSON, as the model wrote it.'),
  }),
  passing('ResponsesImageCall', {
    id: Type.String(),
    type: Type.Literal('image_generation_call'),
    status: Type.String(),
    result: orNull(text('Base64, or the address of an image that Weir keeps.')),
    output_format: Type.Optional(Type.String()),
  }),
  passing('ResponsesOther', { type: text('An item of a kind that only its upstream knows.') }),
])

const echoedNumber = orNull(Type.Number())
const echoedText = orNull(Type.String())

export const responseReply = passing(
  'ResponsesReply',
  {
    id: text('`resp_…`'),
    object: Type.Literal('response'),
    created_at: Type.Integer(),
    completed_at: orNull(Type.Integer()),
    status: Type.Enum(['in_progress', 'completed', 'incomplete', 'failed']),
    background: Type.Boolean(),
    error: orNull(passing('ResponsesFailure', { code: Type.String(), message: Type.String() })),
    incomplete_details: orNull(
      passing('ResponsesIncomplete', { reason: text('`max_output_tokens` or `content_filter`.') }),
    ),
    instructions: Type.Union([Type.String(), Type.Array(freeObject('An item.')), Type.Null()]),
    max_output_tokens: orNull(Type.Integer()),
    max_tool_calls: orNull(Type.Integer()),
    model: Type.String(),
    output: Type.Array(outputItem),
    parallel_tool_calls: orNull(Type.Boolean()),
    previous_response_id: echoedText,
    prompt_cache_key: echoedText,
    reasoning: orNull(passing('ResponsesReasoningEcho', { effort: echoedText, summary: echoedText })),
    safety_identifier: echoedText,
    service_tier: echoedText,
    store: Type.Boolean(),
    temperature: echoedNumber,
    text: orNull(
      passing('ResponsesTextEcho', {
        format: freeObject('As it was asked for.'),
        verbosity: Type.Optional(echoedText),
      }),
    ),
    tool_choice: Type.Union([Type.String(), freeObject('One tool.')]),
    tools: Type.Array(freeObject('A tool, as the model was told of it.')),
    top_logprobs: orNull(Type.Integer()),
    top_p: echoedNumber,
    frequency_penalty: echoedNumber,
    presence_penalty: echoedNumber,
    truncation: echoedText,
    usage: orNull(usage, 'Null where the upstream did not count, and before the end of a stream.'),
    user: echoedText,
    metadata: orNull(freeObject('As it was sent.')),
  },
  'The answer, with most of what was asked.',
)
