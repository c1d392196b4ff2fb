import { type Arbitrary, array, assert, constantFrom, dictionary, oneof, property, record, letrec } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn } from '#lib/json.ts'
import { type ClientEvent, parseEvent, readClientEvent } from './client-events.ts'
import { realtimeDialect } from './realtime-dialect.ts'

const types = [
  'session.update',
  'conversation.item.create',
  'conversation.item.retrieve',
  'conversation.item.delete',
  'conversation.item.truncate',
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'input_audio_buffer.clear',
  'response.create',
  'response.cancel',
  'output_audio_buffer.clear',
]

const member = constantFrom(
  'type',
  'event_id',
  'session',
  'item',
  'response',
  'audio',
  'input',
  'output',
  'tools',
  'prompt',
  'tracing',
  'model',
  'instructions',
  'content',
  'text',
  'turn_detection',
  'create_response',
  'idle_timeout_ms',
  'transcription',
  'voice',
  'max_output_tokens',
  '__proto__',
  'constructor',
)
const leaf: Arbitrary<JsonValue> = constantFrom<JsonValue>(
  'realtime',
  'mcp',
  'function',
  'message',
  'input_text',
  'input_image',
  'inf',
  'Hi',
  7,
  -1,
  true,
  null,
)
const { node } = letrec<{ node: JsonValue }>((tie) => ({
  node: oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    array(tie('node'), { maxLength: 3 }),
    dictionary(member, tie('node'), { maxKeys: 5 }),
  ),
}))
const sessionMembers = new Set(['type', 'audio', 'instructions', 'tools', 'max_output_tokens'])
const events = record({ type: constantFrom(...types), rest: dictionary(member, node, { maxKeys: 6 }) })

function read(event: JsonObject): ClientEvent | GatewayError {
  try {
    return readClientEvent(event)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

const update = (session: JsonObject) =>
  readClientEvent({ type: 'session.update', session: { type: 'realtime', ...session } })

const texts = (event: JsonObject) => realtimeDialect.texts({ model: 'm', event })

describe('an event of a client', () => {
  it('[NEXT-210] is rejected, or has only what no response pays for', () => {
    assert(
      property(events, ({ type, rest }) => {
        const outcome = read({ ...rest, type })
        if (outcome instanceof GatewayError) {
          expect(outcome.row.owner).toBe('client')
        } else if (outcome.kind === 'session') {
          const session = objectAt(outcome.event, 'session')
          const input = objectAt(objectAt(session, 'audio'), 'input')
          expect(Object.keys(session).filter((name) => !sessionMembers.has(name))).toEqual([])
          expect(Object.keys(input)).not.toContain('transcription')
          const { create_response: creates = false, idle_timeout_ms: idle = null } = objectAt(input, 'turn_detection')
          expect([creates, idle]).toEqual([false, null])
          expect(objectsIn(session.tools).filter(({ type: tool }) => tool !== 'function')).toEqual([])
        } else {
          const settings = outcome.kind === 'response' ? outcome.response : outcome.event
          for (const name of ['prompt', 'tracing', 'model', 'session']) expect(settings).not.toHaveProperty(name)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('[NEXT-210] is an object', () => {
    for (const text of ['', '[]', '"a"', '{', 'null']) expect(() => parseEvent(text)).toThrow(GatewayError)
    expect(parseEvent('{"type":"a"}')).toEqual({ type: 'a' })
  })

  it('[NEXT-204] states what the gateway does in place of the upstream', () => {
    const detecting = (turn_detection: JsonValue) => update({ audio: { input: { turn_detection } } })
    expect(detecting({ type: 'server_vad' })).toMatchObject({ wishes: { answersSpeech: true } })
    expect(detecting({ type: 'server_vad', create_response: false })).toMatchObject({
      wishes: { answersSpeech: false },
    })
    expect(detecting(null)).toMatchObject({ wishes: {} })
    expect(update({ max_output_tokens: 9 })).toMatchObject({ wishes: { outputTokensMax: 9 } })
    expect(update({ max_output_tokens: 'inf' })).toMatchObject({ wishes: { outputTokensMax: null } })
    const spoken = (type: string) => update({ audio: { input: { format: { type } } } })
    expect(spoken('audio/pcm')).toMatchObject({ wishes: { audioBytesPerToken: 2_400 } })
    expect(spoken('audio/pcmu')).toMatchObject({ wishes: { audioBytesPerToken: 400 } })
  })

  it('[NEXT-209] has all its texts read', () => {
    const content = [
      { type: 'input_text', text: 'a' },
      { type: 'output_audio', transcript: 'b' },
    ]
    expect(texts({ item: { type: 'message', content } })).toEqual(['a', 'b'])
    expect(texts({ item: { type: 'function_call_output', output: 'c' } })).toEqual(['c'])
    expect(texts({ item: { type: 'function_call', arguments: '{}' } })).toEqual(['{}'])
    expect(texts({ session: { instructions: 'd' } })).toEqual(['d'])
    expect(texts({ response: { instructions: 'e', input: [{ content }] } })).toEqual(['e', 'a', 'b'])
    const body = realtimeDialect.withTexts({ event: { item: { content } } }, ['x', 'y'])
    expect(isJsonObject(body.event) && body.event.item).toMatchObject({ content: [{ text: 'x' }, { transcript: 'y' }] })
  })
})
