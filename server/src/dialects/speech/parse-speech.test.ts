import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { refusal } from '#test/setup/refusal.ts'
import { parseSpeech } from './parse-speech.ts'

const plain: JsonObject = { model: 'maker/voice', input: 'Hello there', voice: 'alloy' }
const brokenText = '\ud800'

function taskOf(body: JsonObject) {
  const task = parseSpeech(body).media?.task
  if (task?.kind !== 'speech') throw new Error('not an order for speech')
  return task
}

describe('an order for speech', () => {
  it('streams its audio and holds for the characters of its text', () => {
    expect(parseSpeech(plain)).toEqual({
      modelName: 'maker/voice',
      stream: true,
      maxTokens: 0,
      choiceCount: 1,
      hasTools: false,
      promptTokensEstimate: 0,
      promptTokensHeld: 0,
      body: plain,
      media: {
        task: { kind: 'speech', input: 'Hello there', voice: 'alloy', format: null, speed: null, extras: {} },
        worst: { ...emptyUsage, media: { inputCharacters: 11 } },
        fitTo: expect.any(Function),
      },
    })
  })

  it('passes on its format, its speed and what only some hosts know', () => {
    const asked = { response_format: 'wav', speed: 0.25, instructions: 'Whisper.', seed: 7 }
    expect(taskOf({ ...plain, ...asked, stream: true, stream_format: 'audio' })).toEqual({
      kind: 'speech',
      input: 'Hello there',
      voice: 'alloy',
      format: 'wav',
      speed: 0.25,
      extras: { instructions: 'Whisper.', seed: 7 },
    })
  })

  it.each<[string, JsonValue]>([
    ['voice', ''],
    ['response_format', null],
    ['speed', null],
  ])('leaves `%s` to the model where it is null or absent', (name, left) => {
    const field = name === 'response_format' ? 'format' : name
    expect(taskOf({ ...plain, [name]: null })).toMatchObject({ [field]: left })
    expect(taskOf({ ...plain, [name]: undefined })).toMatchObject({ [field]: left })
  })

  it.each<[string, JsonValue]>([
    ['instructions', null],
    ['instructions', 'i'.repeat(4_096)],
    ['stream_format', null],
    ['voice', 'a.b'],
    ['voice', '.b'],
    ['voice', 'b.'],
  ])('is taken with `%s` of %j', (name, value) => {
    expect(taskOf({ ...plain, [name]: value }).kind).toBe('speech')
  })

  it.each<[string, JsonValue | undefined, string | number, string]>([
    ['model', undefined, 'missing_required_field', '`model`'],
    ['input', undefined, 'missing_required_field', '`input`'],
    ['input', null, 'missing_required_field', '`input`'],
    ['input', '', 400, '`input` must be a non-empty string'],
    ['input', 5, 400, '`input` must be a non-empty string'],
    ['input', brokenText, 400, '`input` is not valid Unicode.'],
    ['voice', 5, 400, '`voice` must be a string.'],
    ['voice', '.', 400, '`voice` is not a valid voice name.'],
    ['voice', '..', 400, '`voice` is not a valid voice name.'],
    ['voice', brokenText, 400, '`voice` is not a valid voice name.'],
    ['response_format', '', 400, '`response_format`'],
    ['response_format', 5, 400, '`response_format`'],
    ['response_format', brokenText, 400, '`response_format`'],
    ['speed', 0, 400, '`speed`'],
    ['speed', -1, 400, '`speed`'],
    ['speed', '1', 400, '`speed`'],
    ['speed', Number.POSITIVE_INFINITY, 400, '`speed`'],
    ['stream_format', 'sse', 'unsupported_param', '`stream_format`'],
    ['instructions', 5, 400, '`instructions` must be a string of at most 4096 characters.'],
    ['instructions', ['Whisper.'], 400, '`instructions`'],
    ['instructions', 'i'.repeat(4_097), 400, '`instructions`'],
  ])('is refused with `%s` of %j', (name, value, code, text) => {
    expect(() => parseSpeech({ ...plain, [name]: value })).toThrow(refusal(code, text))
  })
})
