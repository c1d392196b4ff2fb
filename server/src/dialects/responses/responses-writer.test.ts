import { describe, expect, it } from 'vitest'
import type { Charged, ReplyContext } from '#dialects/dialect.ts'
import type { FinishReason } from '#domain/inference/finish-reason.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { codexRequest } from './fixtures/codex-request.ts'
import { readEvents, type ResponsesEvent } from './fixtures/read-events.ts'
import { responsesDialect } from './responses-dialect.ts'

const context: ReplyContext = {
  id: 'gen-7f',
  createdS: 1_790_000_000,
  model: 'openai/gpt-5',
  requestBody: codexRequest,
  excludeReasoning: false,
  nowS: () => 1_790_000_009,
}
const charged: Charged = {
  usage: { ...noUsage, uncachedInput: 10, cacheRead: 5, textOutput: 2, reasoningOutput: 3 },
  cost: nanoUsd(250n),
}

function text(piece: string): StreamPart {
  return { kind: 'text-added', choice: 0, text: piece }
}

function finished(reason: FinishReason): StreamPart {
  return { kind: 'finished', choice: 0, reason, native: null }
}

function play(parts: readonly StreamPart[], over: Partial<ReplyContext> = {}): ResponsesEvent[] {
  const writer = responsesDialect.createWriter({ ...context, ...over })
  const frames = parts.map((part) => writer.write(part)).join('')
  return readEvents(frames + writer.close(charged))
}

function identity(event: ResponsesEvent): unknown {
  return [event.output_index, event.item?.id, event.item?.type]
}

function typesOf(events: readonly ResponsesEvent[]): string[] {
  return events.map((event) => event.type.replace('response.', ''))
}

describe('a Responses stream', () => {
  it('[RESP-22] [RESP-27] of thinking, text and a call is the whole sequence that clients need', () => {
    const events = play([
      { kind: 'reasoning-added', choice: 0, text: 'Hm', format: 'unknown' },
      { kind: 'reasoning-added', choice: 0, text: '.', format: 'unknown' },
      text('Hel'),
      text('lo'),
      { kind: 'tool-call-started', choice: 0, index: 0, id: 'call_1', name: 'shell' },
      { kind: 'tool-call-added', choice: 0, index: 0, json: '{"a"' },
      { kind: 'tool-call-added', choice: 0, index: 0, json: ':1}' },
      finished('tool_calls'),
      { kind: 'usage-counted', usage: charged.usage, isFinal: true },
      { kind: 'ended' },
    ])
    expect(typesOf(events)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
    expect(events[9]).toMatchObject({
      output_index: 1,
      item: { id: 'msg_weir_7f_1', type: 'message', status: 'in_progress', content: [] },
    })
    expect(events[10]).toMatchObject({
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    })
    expect(events[16]?.item).toEqual({
      id: 'fc_weir_7f_2',
      type: 'function_call',
      status: 'in_progress',
      arguments: '',
      call_id: 'call_1',
      name: 'shell',
    })
    const output = events.at(-1)?.response?.output
    expect(output).toEqual(events.filter((event) => event.type.endsWith('output_item.done')).map((event) => event.item))
    expect(output?.map((item) => item.type)).toEqual(['reasoning', 'message', 'function_call'])
    expect(output?.[2]).toMatchObject({ arguments: '{"a":1}', status: 'completed' })
  })

  it('numbers the deltas of every part of a message', () => {
    const events = play([text('a'), text('b'), { kind: 'refusal-added', choice: 0, text: 'No' }, text('c'), text('d')])
    const deltas = events.filter(({ type }) => type.endsWith('.delta'))
    expect(deltas.map((event) => [event.content_index, event.delta])).toEqual([
      [0, 'a'],
      [0, 'b'],
      [1, 'No'],
      [2, 'c'],
      [2, 'd'],
    ])
  })

  it('keeps ids, kinds and indexes of items from their first event to their last', () => {
    const events = play([
      text('A'),
      { kind: 'reasoning-added', choice: 0, text: 'B', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 'S', format: 'anthropic' },
      text('C'),
      { kind: 'refusal-added', choice: 0, text: 'No' },
      { kind: 'image-added', choice: 0, source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } },
      finished('stop'),
    ])
    const added = events.filter((event) => event.type === 'response.output_item.added')
    const done = events.filter((event) => event.type === 'response.output_item.done')
    expect(done.map(identity)).toEqual(added.map(identity))
    expect(added.map((event) => event.output_index)).toEqual([0, 1, 2, 3])
    expect(new Set(added.map((event) => event.item?.id)).size).toBe(4)
    for (const event of events) {
      if (event.item_id === undefined) continue
      expect(added.find((other) => other.item?.id === event.item_id)?.output_index).toBe(event.output_index)
    }
    expect(done[2]?.item?.content).toMatchObject([{ type: 'output_text' }, { type: 'refusal', refusal: 'No' }])
  })

  it('[P16] of calls that interleave is as many calls, each with its own arguments', () => {
    const counts = [0, 1, 2, 3, 4]
    const events = play([
      ...counts.map(
        (index): StreamPart => ({ kind: 'tool-call-started', choice: 0, index, id: `call_${index}`, name: 'f' }),
      ),
      ...['{"n":', 'INDEX', '}'].flatMap((piece) =>
        counts.map(
          (index): StreamPart => ({
            kind: 'tool-call-added',
            choice: 0,
            index,
            json: piece.replace('INDEX', String(index)),
          }),
        ),
      ),
      finished('tool_calls'),
    ])
    const output = events.at(-1)?.response?.output
    expect(output?.map((item) => [item.call_id, item.arguments])).toEqual(
      counts.map((index) => [`call_${index}`, `{"n":${index}}`]),
    )
  })

  it('gives a call without arguments an empty object, because clients parse it', () => {
    const started: StreamPart = { kind: 'tool-call-started', choice: 0, index: 0, id: 'c', name: 'f' }
    const events = play([started, { kind: 'tool-call-added', choice: 0, index: 0, json: '' }, finished('tool_calls')])
    expect(events.filter((event) => event.delta !== undefined).map((event) => event.delta)).toEqual(['{}'])
    expect(events.at(-1)?.response?.output).toMatchObject([{ arguments: '{}' }])
  })

  it('[RESP-19] [RESP-20] [RESP-23] carries in each of its objects what was asked, and at the end what it cost', () => {
    const events = play([text('A'), finished('stop')])
    const wanted = {
      id: 'resp_7f',
      object: 'response',
      created_at: 1_790_000_000,
      model: 'openai/gpt-5',
      error: null,
      incomplete_details: null,
      instructions: 'You are a coding agent.',
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      store: false,
      temperature: null,
      top_p: null,
      frequency_penalty: null,
      presence_penalty: null,
      text: { format: { type: 'text' }, verbosity: 'low' },
      tool_choice: 'auto',
      tools: [
        { type: 'function', name: 'shell', strict: false },
        { type: 'namespace', name: 'mcp__files' },
        { type: 'custom', name: 'apply_patch' },
      ],
      truncation: 'disabled',
      max_output_tokens: null,
    }
    const first = { ...wanted, status: 'in_progress', output: [], usage: null, completed_at: null }
    expect(events[0]?.response).toMatchObject(first)
    expect(events[1]?.response).toMatchObject(first)
    expect(events.at(-1)?.response).toMatchObject({
      ...wanted,
      status: 'completed',
      completed_at: 1_790_000_009,
      usage: {
        input_tokens: 15,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 20,
        cost: 0.00000025,
      },
    })
  })

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ] as const)('[RESP-04] cut short by %s is incomplete because of %s', (reason, said) => {
    const last = play([text('A'), finished(reason)]).at(-1)
    expect(last?.type).toBe('response.incomplete')
    expect(last?.response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: said },
      completed_at: null,
      output: [{ status: 'incomplete' }],
      usage: { total_tokens: 20 },
    })
  })

  it('[RESP-23] [RESP-27] without a word is still begun and ended', () => {
    expect(typesOf(play([finished('stop')]))).toEqual(['created', 'in_progress', 'completed'])
    expect(typesOf(play([]))).toEqual(['created', 'in_progress', 'completed'])
  })

  it('shows no reasoning to those who want none', () => {
    const events = play([{ kind: 'reasoning-added', choice: 0, text: 'Hm', format: 'unknown' }, text('A')], {
      excludeReasoning: true,
    })
    expect(JSON.stringify(events)).not.toContain('Hm')
    expect(events.at(-1)?.response?.output).toMatchObject([{ type: 'message' }])
  })

  it('[P17] keeps a redacted thought apart from the thought before it', () => {
    const events = play([
      { kind: 'reasoning-added', choice: 0, text: 'A', format: 'anthropic' },
      { kind: 'reasoning-encrypted', choice: 0, data: 'EmwK', format: 'anthropic' },
      text('B'),
    ])
    const output = events.at(-1)?.response?.output
    expect(output?.map((item) => item.type)).toEqual(['reasoning', 'reasoning', 'message'])
    expect(output?.[1]?.summary).toEqual([])
  })

  it('joins a summary of OpenAI with the encrypted thought that it is of', () => {
    const known = { choice: 0, format: 'openai', id: 'rs_abc' } as const
    const events = play([
      { kind: 'reasoning-added', text: 'S', isSummary: true, ...known },
      { kind: 'reasoning-encrypted', data: 'gAAA', ...known },
      text('A'),
    ])
    expect(events.at(-1)?.response?.output[0]).toEqual({
      id: 'rs_abc',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'S' }],
      encrypted_content: 'gAAA',
    })
  })
})

describe('a Responses stream that fails', () => {
  it.each([
    ['insufficientCredits', 'insufficient_quota'],
    ['rateLimited', 'rate_limit_exceeded'],
    ['upstreamRateLimited', 'rate_limit_exceeded'],
    ['contextTooLong', 'context_length_exceeded'],
    ['upstreamUnavailable', 'server_is_overloaded'],
    ['internal', 'server_error'],
  ] as const satisfies readonly (readonly [ErrorName, string])[])('[RESP-28] with %s says %s', (name, code) => {
    const writer = responsesDialect.createWriter(context)
    const events = readEvents(writer.fail(new GatewayError(name, { message: 'Sorry.', inside: 'secret' })))
    expect(typesOf(events)).toEqual(['created', 'in_progress', 'failed'])
    expect(events.at(-1)?.response).toMatchObject({
      status: 'failed',
      error: { code, message: 'Sorry.' },
      usage: null,
      output: [],
    })
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  it('in mid-answer ends at once, and nobody is handed half a call', () => {
    const writer = responsesDialect.createWriter(context)
    const frames =
      writer.write(text('A')) +
      writer.write({ kind: 'tool-call-started', choice: 0, index: 0, id: 'c', name: 'f' }) +
      writer.write({ kind: 'tool-call-added', choice: 0, index: 0, json: '{"path":"/' })
    const events = readEvents(frames + writer.fail(new GatewayError('internal', { message: 'Sorry.' })))
    expect(typesOf(events).at(-1)).toBe('failed')
    expect(events.at(-1)?.response?.output).toMatchObject([{ type: 'message' }])
    expect(events.filter((event) => event.type.endsWith('arguments.done'))).toEqual([])
    expect(writer.write(text('B')) + writer.close(null)).toBe('')
  })

  it('before it began has the ordinary error body', () => {
    const error = new GatewayError('invalidPrompt', { message: 'No.' })
    expect(JSON.parse(responsesDialect.errorBody(error, 'req_1'))).toEqual({
      error: { message: 'No.', type: 'invalid_request_error', code: 'invalid_prompt' },
    })
  })

  it('is kept alive by comments', () => {
    expect(responsesDialect.keepAlive?.bytes).toMatch(/^: .*\n\n$/)
  })
})
