import type { SpeechTask } from '#domain/media/media-task.ts'
import { worstSpeech } from '#domain/media/worst-speech.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { extrasOf, missingField, readModelName } from '../media-fields.ts'

/** Rejects requests that no upstream could serve. */
export function parseSpeech(body: JsonObject): DialectCall {
  const modelName = readModelName(body)
  refuseEvents(body)
  refuseInstructions(body)
  const task: SpeechTask = {
    kind: 'speech',
    input: inputOf(body.input),
    voice: voiceOf(body.voice),
    format: formatOf(body.response_format),
    speed: speedOf(body.speed),
    extras: extrasOf(body, readFields),
  }
  return {
    modelName,
    stream: true,
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    promptTokensEstimate: 0,
    promptTokensHeld: 0,
    body,
    media: {
      task,
      worst: worstSpeech(task.input),
      fitTo: (model) => ({ task, worst: worstSpeech(task.input, model) }),
    },
  }
}

const readFields = new Set(['input', 'voice', 'response_format', 'speed', 'stream', 'stream_format'])

// Plain audio is streamed; for events, it would have to be extracted from the upstream's JSON.
function refuseEvents({ stream_format: format }: JsonObject): void {
  if (format === undefined || format === null || format === 'audio') return
  throw new GatewayError('unsupportedParam', {
    message: '`stream_format` must be "audio". Audio bytes are streamed unchanged.',
  })
}

// Instructions are not charged, although providers count them.
const instructionsMax = 4_096

// Filters read only strings, and some providers stringify other values.
function refuseInstructions({ instructions }: JsonObject): void {
  if (instructions === undefined || instructions === null) return
  if (typeof instructions === 'string' && instructions.length <= instructionsMax) return
  throw malformed(`\`instructions\` must be a string of at most ${instructionsMax} characters.`)
}

function inputOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) throw missingField('input')
  if (typeof value !== 'string' || value === '') throw malformed('`input` must be a non-empty string.')
  if (!value.isWellFormed()) throw malformed('`input` is not valid Unicode.')
  return value
}

/** Returns an empty string for the model's default voice. */
function voiceOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw malformed('`voice` must be a string.')
  // For some providers the voice is part of a URL path, in which dots are special.
  if (!value.isWellFormed() || /^\.+$/.test(value)) throw malformed('`voice` is not a valid voice name.')
  return value
}

function formatOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && value !== '' && value.isWellFormed()) return value
  throw malformed('`response_format` must be a string such as "mp3" or "wav".')
}

function speedOf(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  throw malformed('`speed` must be a number greater than 0.')
}
