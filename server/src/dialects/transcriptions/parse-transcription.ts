import { sizeOfText } from '#domain/inference/prompt-matter.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import type { TranscriptionTask } from '#domain/media/media-task.ts'
import { worstAudio } from '#domain/media/worst-audio.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { extrasOf, readModelName } from '../media-fields.ts'
import { readAudio } from './read-audio.ts'
import { transcriptFormatOf } from './transcript-format.ts'

/** Rejects requests that no upstream could serve. The upstream decides whether the audio contains speech. */
export function parseTranscription(body: JsonObject, files: readonly FormFile[]): DialectCall {
  const modelName = readModelName(body)
  refuseStream(body.stream)
  const { file, head } = readAudio(body, files)
  const prompt = textAt(body, 'prompt')
  const task: TranscriptionTask = {
    kind: 'transcription',
    audio: file,
    language: languageOf(body),
    prompt,
    temperature: temperatureOf(body.temperature),
    wants: wantsOf(body),
    extras: extrasOf(body, readFields),
  }
  const size = sizeOfText(prompt ?? '')
  return {
    modelName,
    stream: false,
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    ...size,
    body,
    media: { task, worst: worstAudio({ head, byteCount: file.byteCount }, size.promptTokensHeld) },
  }
}

const granularityFields = ['timestamp_granularities[]', 'timestamp_granularities'] as const

const readFields = new Set([
  'file',
  'input_audio',
  'language',
  'prompt',
  'temperature',
  'response_format',
  'stream',
  ...granularityFields,
])

// A form contains only strings.
function refuseStream(stream: JsonValue | undefined): void {
  if (stream !== true && stream !== 'true') return
  throw new GatewayError('unsupportedParam', { message: '`stream` is not supported for transcriptions. Remove it.' })
}

function textAt(body: JsonObject, field: string): string | null {
  const value = body[field]
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return value
  throw malformed(`\`${field}\` must be a string.`)
}

// The name or code of a language. A longer value could be text that no filter reads.
function languageOf(body: JsonObject): string | null {
  const language = textAt(body, 'language')
  if (language === null || /^[\p{L}\p{N}_-]{1,32}$/u.test(language)) return language
  throw malformed('`language` must be a language code such as "en".')
}

function temperatureOf(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null || value === '') return null
  const temperature = typeof value === 'string' ? Number(value) : value
  if (typeof temperature === 'number' && Number.isFinite(temperature) && temperature >= 0) return temperature
  throw malformed('`temperature` must be a number of at least 0.')
}

/** Subtitles need segments, and so do verbose responses whose client requests no other granularity. */
function wantsOf(body: JsonObject): TranscriptionTask['wants'] {
  const format = transcriptFormatOf(body)
  const named = granularityFields.flatMap((field) => body[field] ?? [])
  const unknown = named.find((each) => each !== 'word' && each !== 'segment')
  if (unknown !== undefined) throw malformed('`timestamp_granularities` can only contain "word" and "segment".')
  const isSubtitle = format === 'srt' || format === 'vtt'
  const isVerbose = format === 'verbose_json' && named.length === 0
  return { segments: isSubtitle || isVerbose || named.includes('segment'), words: named.includes('word') }
}
