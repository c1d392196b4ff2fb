import { describe, expect, it } from 'vitest'
import type { FormFile } from '#domain/media/media-file.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { refusal } from '#test/setup/refusal.ts'
import { parseTranscription } from './parse-transcription.ts'

const plain: JsonObject = { model: 'maker/ears' }
const bytes = Buffer.from(`ID3${'x'.repeat(747)}`)
const file: FormFile = {
  field: 'file',
  name: 'hello.mp3',
  mediaType: 'audio/mpeg',
  byteCount: bytes.length,
  content: { kind: 'memory', bytes },
  head: bytes,
}

function taskOf(body: JsonObject) {
  const task = parseTranscription({ ...plain, ...body }, [file]).media?.task
  if (task?.kind !== 'transcription') throw new Error('not an order for a transcription')
  return task
}

describe('an order for a transcription', () => {
  it('comes whole, and is held for by its bytes and its prompt', () => {
    const body = { ...plain, prompt: 'abcdefgh' }
    // 750 bytes are at most one second of speech, hence at most ten tokens.
    expect(parseTranscription(body, [file])).toEqual({
      modelName: 'maker/ears',
      stream: false,
      maxTokens: 0,
      choiceCount: 1,
      hasTools: false,
      promptTokensEstimate: 2,
      promptTokensHeld: 2,
      promptTokensMax: 8,
      body,
      media: {
        task: {
          kind: 'transcription',
          audio: file,
          language: null,
          prompt: 'abcdefgh',
          temperature: null,
          wants: { segments: false, words: false },
          extras: {},
        },
        worst: { ...emptyUsage, uncachedInput: 2, audioInput: 10, textOutput: 10, media: { inputAudioMs: 1_000 } },
      },
    })
    expect(parseTranscription(plain, [file])).toMatchObject({ promptTokensEstimate: 0, promptTokensHeld: 0 })
  })

  it('passes on its hints, and keeps the fields that are read here from the upstream', () => {
    const hints = { language: 'en', prompt: 'Names: Weir', temperature: 0.5 }
    const read = {
      file: 'x',
      input_audio: {},
      response_format: 'json',
      stream: false,
      'timestamp_granularities[]': ['word'],
      timestamp_granularities: ['segment'],
    }
    expect(taskOf({ ...hints, ...read, diarize: 'true' })).toEqual({
      kind: 'transcription',
      audio: file,
      ...hints,
      wants: { segments: true, words: true },
      extras: { diarize: 'true' },
    })
  })

  it.each(['language', 'prompt', 'temperature'])('takes `%s` for absent where it is null or empty', (name) => {
    for (const value of [undefined, null, '']) expect(taskOf({ [name]: value })).toMatchObject({ [name]: null })
  })

  it.each<[JsonValue, number]>([
    [0, 0],
    ['0', 0],
    ['0.2', 0.2],
    [1.5, 1.5],
  ])('reads the temperature %j as %j', (sent, temperature) => {
    expect(taskOf({ temperature: sent }).temperature).toBe(temperature)
  })

  it.each(['en', 'zh-Hant', 'pt_BR', 'español', 'l'.repeat(32)])('takes the language %j', (language) => {
    expect(taskOf({ language }).language).toBe(language)
  })

  it.each<[JsonObject, { segments: boolean; words: boolean }]>([
    [{}, { segments: false, words: false }],
    [{ response_format: 'json' }, { segments: false, words: false }],
    [{ response_format: 'text' }, { segments: false, words: false }],
    [{ response_format: 'srt' }, { segments: true, words: false }],
    [{ response_format: 'vtt' }, { segments: true, words: false }],
    [
      { response_format: 'vtt', timestamp_granularities: ['word'] },
      { segments: true, words: true },
    ],
    [{ response_format: 'verbose_json' }, { segments: true, words: false }],
    [
      { response_format: 'verbose_json', timestamp_granularities: [] },
      { segments: true, words: false },
    ],
    [
      { response_format: 'verbose_json', timestamp_granularities: ['word'] },
      { segments: false, words: true },
    ],
    [{ timestamp_granularities: 'segment' }, { segments: true, words: false }],
    [{ 'timestamp_granularities[]': 'word' }, { segments: false, words: true }],
    [{ 'timestamp_granularities[]': null }, { segments: false, words: false }],
  ])('wants with %j the timings %j', (body, wants) => {
    expect(taskOf(body).wants).toEqual(wants)
  })

  it.each<[string, JsonValue | undefined, string | number, string]>([
    ['model', undefined, 'missing_required_field', '`model`'],
    ['stream', true, 'unsupported_param', '`stream`'],
    ['stream', 'true', 'unsupported_param', '`stream`'],
    ['prompt', 5, 400, '`prompt` must be a string.'],
    ['language', 5, 400, '`language` must be a string.'],
    ['language', 'in English', 400, '`language` must be a language code'],
    ['language', ' en', 400, '`language` must be a language code'],
    ['language', 'en ', 400, '`language` must be a language code'],
    ['language', 'l'.repeat(33), 400, '`language` must be a language code'],
    ['temperature', -0.1, 400, '`temperature`'],
    ['temperature', 'warm', 400, '`temperature`'],
    ['temperature', 'Infinity', 400, '`temperature`'],
    ['temperature', true, 400, '`temperature`'],
    ['response_format', 'pdf', 'unsupported_response_format', '`response_format`'],
    ['timestamp_granularities', ['word', 'letter'], 400, '`timestamp_granularities`'],
    ['timestamp_granularities[]', 'letter', 400, '`timestamp_granularities`'],
    ['timestamp_granularities', [null], 400, '`timestamp_granularities`'],
  ])('is refused with `%s` of %j', (name, value, code, text) => {
    expect(() => parseTranscription({ ...plain, [name]: value }, [file])).toThrow(refusal(code, text))
  })
})
