import { type TProperties, Type } from 'typebox'
import { contentPart, outputItem, responseReply, summaryPart } from './responses-reply.ts'
import { freeObject, oneOf, passing, text } from './shapes.ts'

const event = <Fields extends TProperties>(name: string, type: string, fields: Fields) =>
  passing(name, { type: Type.Literal(type), sequence_number: Type.Integer(), ...fields })

const state = { response: responseReply }
const itemPlace = { output_index: Type.Integer() }
const inItem = { item_id: Type.String(), ...itemPlace }
const inPart = { ...inItem, content_index: Type.Integer() }
const inSummary = { ...inItem, summary_index: Type.Integer() }
const logprobs = {
  logprobs: Type.Optional(Type.Array(freeObject('Log probability of a token, as returned by the upstream.'))),
}
// OpenAI pads its deltas, so that their lengths reveal nothing to an eavesdropper.
const delta = { delta: Type.String(), obfuscation: Type.Optional(Type.String()) }

export const responsesEvent = oneOf(
  'ResponsesEvent',
  [
    event('ResponsesCreated', 'response.created', state),
    event('ResponsesInProgress', 'response.in_progress', state),
    event('ResponsesCompleted', 'response.completed', state),
    event('ResponsesEndedIncomplete', 'response.incomplete', state),
    event('ResponsesFailed', 'response.failed', state),
    event('ResponsesItemAdded', 'response.output_item.added', { ...itemPlace, item: outputItem }),
    event('ResponsesItemDone', 'response.output_item.done', { ...itemPlace, item: outputItem }),
    event('ResponsesPartAdded', 'response.content_part.added', { ...inPart, part: contentPart }),
    event('ResponsesPartDone', 'response.content_part.done', { ...inPart, part: contentPart }),
    event('ResponsesTextDelta', 'response.output_text.delta', { ...inPart, ...delta, ...logprobs }),
    event('ResponsesTextDone', 'response.output_text.done', { ...inPart, text: Type.String(), ...logprobs }),
    event('ResponsesRefusalDelta', 'response.refusal.delta', { ...inPart, ...delta }),
    event('ResponsesRefusalDone', 'response.refusal.done', { ...inPart, refusal: Type.String() }),
    event('ResponsesCallDelta', 'response.function_call_arguments.delta', { ...inItem, ...delta }),
    event('ResponsesCallDone', 'response.function_call_arguments.done', {
      ...inItem,
      name: Type.Optional(Type.String()),
      arguments: Type.String(),
    }),
    event('ResponsesSummaryPartAdded', 'response.reasoning_summary_part.added', { ...inSummary, part: summaryPart }),
    event('ResponsesSummaryPartDone', 'response.reasoning_summary_part.done', { ...inSummary, part: summaryPart }),
    event('ResponsesSummaryDelta', 'response.reasoning_summary_text.delta', { ...inSummary, ...delta }),
    event('ResponsesSummaryDone', 'response.reasoning_summary_text.done', { ...inSummary, text: Type.String() }),
    passing('ResponsesOtherEvent', {
      type: text('Type of an upstream-specific event.'),
      sequence_number: Type.Integer(),
    }),
  ],
  'One event, numbered by `sequence_number`. The `event:` line repeats its `type`. The last event is `response.completed`, `response.incomplete`, or `response.failed`.',
)
