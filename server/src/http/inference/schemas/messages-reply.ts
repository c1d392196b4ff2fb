import { Type } from 'typebox'
import { ownKeyCost } from './own-key-cost.ts'
import { closed, count, freeObject, oneOf, orNull, passing, settledCost, text } from './shapes.ts'

const countsOfUsage = {
  cache_read_input_tokens: Type.Optional(
    orNull(count('Input tokens read from the cache. Not included in `input_tokens`.')),
  ),
  cache_creation_input_tokens: Type.Optional(orNull(count())),
  cache_creation: Type.Optional(
    orNull(
      passing('MessagesCacheCreation', { ephemeral_5m_input_tokens: count(), ephemeral_1h_input_tokens: count() }),
    ),
  ),
  output_tokens_details: Type.Optional(passing('MessagesOutputTokens', { thinking_tokens: count() })),
  server_tool_use: Type.Optional(
    orNull(
      passing('MessagesServerToolUse', { web_search_requests: count(), web_fetch_requests: Type.Optional(count()) }),
    ),
  ),
  service_tier: Type.Optional(orNull(Type.String())),
  inference_geo: Type.Optional(orNull(Type.String())),
  weir_cost: Type.Optional(settledCost),
  ...ownKeyCost,
}

const usage = passing('MessagesUsage', { input_tokens: count(), output_tokens: count(), ...countsOfUsage })

const block = oneOf('MessagesAnswerBlock', [
  passing('MessagesText', {
    type: Type.Literal('text'),
    text: Type.String(),
    citations: Type.Optional(orNull(Type.Array(freeObject('A citation, as returned by the upstream.')))),
  }),
  passing('MessagesThought', { type: Type.Literal('thinking'), thinking: Type.String(), signature: Type.String() }),
  passing('MessagesRedactedThought', { type: Type.Literal('redacted_thinking'), data: Type.String() }),
  passing('MessagesToolCall', {
    type: Type.Literal('tool_use'),
    id: Type.String(),
    name: Type.String(),
    input: freeObject('Arguments of the tool call.'),
  }),
  passing('MessagesImage', {
    type: Type.Literal('image'),
    source: freeObject('Image source of type `base64` or `url`.'),
  }),
  passing('MessagesOtherBlock', { type: text('Block type of a tool that the upstream ran.') }),
])

export const messagesMessageReply = passing('MessagesReply', {
  id: text('Generation ID.'),
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  model: Type.String(),
  content: Type.Array(block),
  stop_reason: orNull(
    Type.String(),
    'Why generation stopped: `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`, `refusal`, or `pause_turn`.',
  ),
  stop_sequence: Type.Optional(orNull(Type.String())),
  stop_details: Type.Optional(orNull(freeObject('Details of the stop reason, as returned by the upstream.'))),
  usage,
})

const errorFields = {
  type: text('Error type, such as `invalid_request_error` or `rate_limit_error`.'),
  message: text('Human-readable error message.'),
}

export const messagesError = closed(
  'MessagesError',
  {
    type: Type.Literal('error'),
    error: closed('MessagesErrorDetail', {
      ...errorFields,
      code: Type.Union([Type.String(), Type.Integer()], {
        description: 'Machine-readable error code. See docs/errors.md for the list.',
      }),
    }),
    request_id: Type.String(),
  },
  'An error response in the format of the Messages API.',
)

const delta = oneOf('MessagesDelta', [
  passing('MessagesTextDelta', { type: Type.Literal('text_delta'), text: Type.String() }),
  passing('MessagesThinkingDelta', { type: Type.Literal('thinking_delta'), thinking: Type.String() }),
  passing('MessagesSignatureDelta', { type: Type.Literal('signature_delta'), signature: Type.String() }),
  passing('MessagesInputDelta', { type: Type.Literal('input_json_delta'), partial_json: Type.String() }),
  passing('MessagesCitationDelta', { type: Type.Literal('citations_delta'), citation: freeObject('A citation.') }),
])

export const messagesEvent = oneOf(
  'MessagesEvent',
  [
    passing('MessagesStartEvent', { type: Type.Literal('message_start'), message: messagesMessageReply }),
    passing('MessagesBlockStartEvent', {
      type: Type.Literal('content_block_start'),
      index: Type.Integer(),
      content_block: block,
    }),
    passing('MessagesBlockDeltaEvent', { type: Type.Literal('content_block_delta'), index: Type.Integer(), delta }),
    passing('MessagesBlockStopEvent', { type: Type.Literal('content_block_stop'), index: Type.Integer() }),
    passing('MessagesMessageDeltaEvent', {
      type: Type.Literal('message_delta'),
      delta: passing('MessagesEnding', {
        stop_reason: orNull(Type.String()),
        stop_sequence: Type.Optional(orNull(Type.String())),
        stop_details: Type.Optional(orNull(freeObject('Details of the stop reason, as returned by the upstream.'))),
      }),
      usage,
    }),
    passing('MessagesStopEvent', { type: Type.Literal('message_stop') }),
    closed('MessagesPing', { type: Type.Literal('ping') }),
    closed('MessagesErrorEvent', {
      type: Type.Literal('error'),
      error: closed('MessagesStreamError', errorFields),
    }),
  ],
  'One event. The `event:` line repeats its `type`.',
)
