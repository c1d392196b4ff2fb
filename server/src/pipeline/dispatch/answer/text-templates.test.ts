import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { ConversationDialect } from '#dialects/dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { protocolOf } from '#providers/protocols.ts'
import { vendors } from '#providers/registry.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'

interface Upstream {
  readonly vendor: VendorSpec
  /** Events in which `§` stands for a text. */
  readonly textEvents: readonly string[]
  readonly otherEvents: readonly string[]
  /** An event that means nothing. After it, a reader parses the next event whole. */
  readonly inert: string
}

const chatEvents: Omit<Upstream, 'vendor'> = {
  textEvents: [
    '{"id":"a","choices":[{"index":0,"delta":{"content":§},"finish_reason":null}],"usage":null}',
    '{"id":"b","choices":[{"index":0,"delta":{"content":§},"finish_reason":null}],"usage":null}',
    '{"id":§,"choices":[{"index":0,"delta":{"content":"\\u0048i"}}]}',
    '{"id":"Hi","choices":[{"index":0,"delta":{"content":§}}]}',
    '{"choices":[{"index":1,"delta":{"content":§}}]}',
    '{"choices":[{"index":0,"delta":{"role":"assistant","content":§}}]}',
    '{"choices":[{"index":0,"delta":{"content":§,"reasoning":"Hm"}}]}',
    '{"choices":[{"index":0,"delta":{"reasoning":§}}]}',
    '{"choices":[{"index":0,"delta":{"content":§,"annotations":[{"a":1}]}}]}',
    '{"choices":[{"index":0,"delta":{"content":§,"content":"\\u0048i"}}]}',
    '{"choices":[{"index":200,"delta":{"content":§}},{"index":0,"delta":{"content":"\\u0048i"}}]}',
    '{"choices":[{"index":0,"delta":{"content":§}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}',
    '{"choices":[{"index":0,"delta":{"content":§}}],"usage":{"unheard_of":2}}',
  ],
  otherEvents: [
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}]}}]}',
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9}}',
    '{"error":{"message":"Overloaded"}}',
    '[DONE]',
    '{"choices":',
  ],
  inert: '{"choices":[]}',
}

const upstreams: Readonly<Record<string, Upstream>> = {
  openai: { vendor: vendors.openai, ...chatEvents },
  'openai with thinking in its text': { vendor: vendors.minimax, ...chatEvents },
  anthropic: {
    vendor: vendors.anthropic,
    textEvents: [
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":§}}',
      '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":§}}',
      '{"type":"content_block_delta","index":2,"delta":{"type":"thinking_delta","thinking":§}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":§}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"\\u0048i"},"delta":{"text":§}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\u0048i"},"id":§}',
    ],
    otherEvents: [
      '{"type":"message_start","message":{"usage":{"input_tokens":3,"output_tokens":1}}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}',
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}',
      '{"type":"message_stop"}',
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      '{"type":',
    ],
    inert: '{"type":"ping"}',
  },
}

const text = fc.oneof(
  fc.constantFrom('Hi', 'Hello', ' world', '', '<think>', '</think>', 'data: [DONE]\n\n'),
  fc.string({ unit: fc.constantFrom('"', '\\', '/', '\n', '\u0000', '\u2028', 'é', '😀', '\ud83d', '\udc00', 'a') }),
  fc.string({ unit: 'binary' }),
)
const literal = fc.oneof(
  { weight: 6, arbitrary: text.map((said) => JSON.stringify(said)) },
  text.map((said) => JSON.stringify(said).replaceAll('/', '\\/')),
  text.map((said) => `"${Array.from({ length: said.length }, (_, at) => escaped(said.charCodeAt(at))).join('')}"`),
  fc.constantFrom('"a","b":"c"', '"a\\"', '"\\x"', '"\t"', '7', 'null', '["a"]', ' "a" '),
)

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/** Runs of events of one form, with other events and comments between them. */
function framesOf({ textEvents, otherEvents }: Upstream): fc.Arbitrary<string[]> {
  const usual = textEvents[0] ?? ''
  const form = fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(...textEvents))
  const run = fc
    .tuple(form, fc.array(literal, { minLength: 1, maxLength: 6 }))
    .map(([event, literals]) => runOf(event, literals))
  const other = fc.oneof(
    fc.constantFrom(...otherEvents).map(dataFrame),
    fc.constantFrom(': keep-alive\n\n', 'event: x\n', '\n'),
  )
  const runs = fc.oneof(
    { weight: 4, arbitrary: run },
    other.map((frame) => [frame]),
  )
  return fc.array(runs, { maxLength: 8 }).map((all) => all.flat())
}

function runOf(event: string, literals: readonly string[]): string[] {
  return literals.map((said) => dataFrame(event.replace('§', () => said)))
}

function dataFrame(event: string): string {
  return `data: ${event}\n\n`
}

/** Everything that the pipeline sees of a stream: `pieces` by frame, each with the output estimated after it. */
async function read(dialect: ConversationDialect, vendor: VendorSpec, frames: readonly (readonly Buffer[])[]) {
  const seen: unknown[] = []
  const unknown: unknown[] = []
  const estimates: number[] = []
  let sent = ''
  const context = {
    id: 'gen-1',
    createdS: 1_790_000_000,
    model: 'maker/model',
    requestBody: {},
    excludeReasoning: false,
    frameBytesMax: 100_000,
    answerBytesMax: 100_000,
    note: (...word: unknown[]) => unknown.push(word),
    noteOutput: (items: unknown) => seen.push(items),
  }
  const reader = new CanonicalStreamReader(
    context,
    { dialect, protocol: protocolOf(vendor), vendor },
    {
      opened: () => seen.push('opened'),
      bytes: (bytes) => {
        sent += String(bytes)
      },
      unusable: (failure) =>
        seen.push(failure, reader.fail(new GatewayError('upstreamUnavailable', { message: 'Try again.' }))),
      done: (answer, close) => seen.push(answer, String(close(nanoUsd(7n)))),
    },
  )
  for (const pieces of frames) {
    for (const piece of pieces) reader.data(piece)
    estimates.push(reader.outputTokensEstimate)
  }
  seen.push(reader.finalAnswer)
  reader.end()
  await new Promise((resolve) => setImmediate(resolve))
  return { seen, unknown, estimates, sent }
}

/** The pieces of a frame, cut after every `size` bytes. */
function cut(frame: string, size: number): Buffer[] {
  const bytes = Buffer.from(frame)
  const pieces = Math.ceil(bytes.length / size)
  return Array.from({ length: pieces }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

const dialects = [chatDialect, messagesDialect, responsesDialect]
const pairs = Object.entries(upstreams).flatMap(([name, upstream]) =>
  dialects.map((dialect) => ({ name, dialect: dialect.name, speaks: dialect, upstream })),
)

describe.each(pairs)('a stream from $name to a client of $dialect', ({ speaks, upstream }) => {
  it('is the same whether its text events are parsed whole or fit a template', async () => {
    const { vendor, inert } = upstream
    const size = fc.constantFrom(1, 2, 7, 64, 1_000)
    await fc.assert(
      fc.asyncProperty(framesOf(upstream), size, async (frames, bytes) => {
        const parsed = await read(
          speaks,
          vendor,
          frames.map((frame) => [Buffer.from(frame + dataFrame(inert))]),
        )
        const whole = await read(speaks, vendor, [[Buffer.from(frames.join(''))]])
        expect(
          await read(
            speaks,
            vendor,
            frames.map((frame) => cut(frame, bytes)),
          ),
        ).toEqual(parsed)
        expect(whole).toEqual({ ...parsed, estimates: [parsed.estimates.at(-1) ?? 0] })
        for (const line of parsed.sent.split('\n').filter((sent) => sent.startsWith('data: '))) {
          expect(line).toBe(`data: ${JSON.stringify(JSON.parse(line.slice('data: '.length)))}`)
        }
      }),
      { examples: upstream.textEvents.map((event) => [runOf(event, ['"Hi"', '"Hi"', '"Hello"', '"."']), 1_000]) },
    )
  })
})
