import type { ProtocolName } from '#test/matrix/axes.ts'
import { vendors } from '#providers/registry.ts'
import { eventFrame } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { eventOf } from '#test/simulators/protocols/bedrock/event-frame.ts'
import { dataFrame } from '#test/simulators/scenarios/vendor-stream.ts'
import { numbered } from '#test/simulators/protocols/responses/responses-stream.ts'
import { openAiOnResponses } from './responses-host.ts'
import type { Recording } from './read-answer.ts'

/** Calls that may continue while others have not ended. */
interface Interleaving {
  readonly calls: readonly (readonly string[])[]
  /** The order of turns, until everything is written. */
  readonly order: readonly number[]
}

/** The stream of an upstream that writes its calls in turns. */
export const interleavedStreams: Readonly<Record<ProtocolName, (what: Interleaving) => Recording>> = {
  openai: (what) => ({
    vendor: vendors.openai,
    contentType: 'text/event-stream',
    bytes: Buffer.from(
      [
        ...what.calls.map((_, index) =>
          chunk({ tool_calls: [{ index, id: idOf(index), type: 'function', function: { name: 'f', arguments: '' } }] }),
        ),
        ...inTurns(what).map(({ index, piece }) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ].join(''),
    ),
  }),
  anthropic: (what) => ({
    vendor: vendors.anthropic,
    contentType: 'text/event-stream',
    // This protocol ends a block before the next starts, so the calls come one after the other.
    bytes: Buffer.from(
      [
        eventFrame('message_start', {
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'claude',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        }),
        ...what.calls.flatMap((pieces, index) => [
          eventFrame('content_block_start', {
            index,
            content_block: { type: 'tool_use', id: idOf(index), name: 'f', input: {} },
          }),
          ...pieces.map((piece) =>
            eventFrame('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } }),
          ),
          eventFrame('content_block_stop', { index }),
        ]),
        eventFrame('message_delta', {
          delta: { stop_reason: 'tool_use', stop_sequence: null },
          usage: { output_tokens: 9 },
        }),
        eventFrame('message_stop', {}),
      ].join(''),
    ),
  }),
  gemini: (what) => ({
    vendor: vendors['google-ai-studio'],
    contentType: 'text/event-stream',
    // In this protocol a call arrives complete; several calls may share a frame.
    bytes: Buffer.from(
      dataFrame({
        candidates: [
          {
            index: 0,
            finishReason: 'STOP',
            content: {
              role: 'model',
              parts: what.calls.map((pieces, index) => ({
                functionCall: { id: idOf(index), name: 'f', args: JSON.parse(pieces.join('')) },
              })),
            },
          },
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 9, totalTokenCount: 10 },
      }),
    ),
  }),
  bedrock: (what) => ({
    vendor: vendors['amazon-bedrock'],
    contentType: 'application/vnd.amazon.eventstream',
    bytes: Buffer.concat([
      eventOf('messageStart', { role: 'assistant' }),
      ...what.calls.map((_, index) =>
        eventOf('contentBlockStart', {
          contentBlockIndex: index,
          start: { toolUse: { toolUseId: idOf(index), name: 'f' } },
        }),
      ),
      ...inTurns(what).map(({ index, piece }) =>
        eventOf('contentBlockDelta', { contentBlockIndex: index, delta: { toolUse: { input: piece } } }),
      ),
      ...what.calls.map((_, index) => eventOf('contentBlockStop', { contentBlockIndex: index })),
      eventOf('messageStop', { stopReason: 'tool_use' }),
      eventOf('metadata', { usage: { inputTokens: 1, outputTokens: 9, totalTokens: 10 } }),
    ]),
  }),
  responses: (what) => ({
    vendor: openAiOnResponses,
    contentType: 'text/event-stream',
    bytes: Buffer.from(numbered(responsesEvents(what)).join('')),
  }),
}

export function idOf(index: number): string {
  return `id_${index}`
}

function responsesEvents(what: Interleaving) {
  const done = what.calls.map((pieces, index) => callItem(index, pieces.join(''), 'completed'))
  const usage = { input_tokens: 1, output_tokens: 9, total_tokens: 10 }
  return [
    ...done.map((_, index) => ({
      type: 'response.output_item.added',
      output_index: index,
      item: callItem(index, '', 'in_progress'),
    })),
    ...inTurns(what).map(({ index, piece }) => ({
      type: 'response.function_call_arguments.delta',
      output_index: index,
      item_id: `fc_${index}`,
      delta: piece,
    })),
    ...done.map((whole, index) => ({ type: 'response.output_item.done', output_index: index, item: whole })),
    { type: 'response.completed', response: { status: 'completed', output: done, usage } },
  ]
}

function callItem(index: number, args: string, status: string) {
  return {
    id: `fc_${index}`,
    type: 'function_call',
    status,
    call_id: idOf(index),
    name: 'f',
    arguments: args,
  }
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta: { ...delta }, finish_reason: finish }]
  const usage = finish === null ? null : { prompt_tokens: 1, completion_tokens: 9, total_tokens: 10 }
  return dataFrame({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, usage })
}

function inTurns({ calls, order }: Interleaving): { index: number; piece: string }[] {
  const left = calls.map((pieces) => [...pieces])
  const said: { index: number; piece: string }[] = []
  const say = (index: number): void => {
    const piece = left[index]?.shift()
    if (piece !== undefined) said.push({ index, piece })
  }
  for (const turn of order) say(turn % Math.max(1, calls.length))
  for (const [index, pieces] of calls.entries()) for (const _ of pieces) say(index)
  return said
}
