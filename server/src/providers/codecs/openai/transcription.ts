import type { TranscriptionResult } from '#domain/media/media-result.ts'
import type { TranscriptionTask } from '#domain/media/media-task.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { untold } from '../audio/untold.ts'
import type { MediaCodec } from '../codec.ts'
import { send } from '../exchange-script.ts'
import { type FormPart, formRequest, jsonOf } from '../media-request.ts'
import type { MediaTarget } from '../target.ts'
import { readTranscription } from './read-transcription.ts'

interface TranscriptionHabits {
  /** The richest form that a model answers in; null for hosts that have one form alone and refuse to hear of others. */
  readonly formatFor: (upstreamModel: string) => string | null
  /** What timings are asked for in. */
  readonly granularityField: string
  /** Fields this host refuses; they are dropped. */
  readonly refuses?: readonly string[]
  /** Where models have hosts of their own. */
  readonly targetFor?: (target: MediaTarget) => MediaTarget
}

/** `POST /audio/transcriptions`, as OpenAI and many others take it. */
export function openAiTranscriptionWith(
  habits: TranscriptionHabits,
): MediaCodec<TranscriptionTask, TranscriptionResult> {
  return {
    ignored: (task) =>
      untold(
        task,
        hints.filter((hint) => habits.refuses?.includes(hint)),
      ),
    *converse(task, target) {
      const host = habits.targetFor?.(target) ?? target
      const request = formRequest(host, '/audio/transcriptions', partsFor(task, target.upstreamModel, habits))
      return readTranscription(jsonOf(yield* send(request), readFailure))
    },
  }
}

const hints = ['language', 'prompt', 'temperature'] as const

export const openAiTranscription = openAiTranscriptionWith({
  formatFor: richestFormat,
  granularityField: 'timestamp_granularities[]',
})

/** Whisper has timings, the models after it do not, and those that tell speakers apart have a form of their own. */
export function richestFormat(upstreamModel: string): string {
  if (/whisper/i.test(upstreamModel)) return 'verbose_json'
  return /-diarize\b/i.test(upstreamModel) ? 'diarized_json' : 'json'
}

function partsFor(task: TranscriptionTask, upstreamModel: string, habits: TranscriptionHabits): FormPart[] {
  const format = habits.formatFor(upstreamModel)
  const fields: JsonObject = {
    // Recordings over half a minute are refused without it where speakers are told apart.
    ...(format === 'diarized_json' ? { chunking_strategy: 'auto' } : {}),
    ...knownOf(task.extras),
    model: upstreamModel,
    language: task.language,
    prompt: task.prompt,
    temperature: task.temperature,
    response_format: format,
    ...(format === 'verbose_json' || format === null ? { [habits.granularityField]: granularities(task) } : {}),
  }
  const parts = Object.entries(fields)
    .filter(([name]) => !habits.refuses?.includes(name))
    .flatMap(([name, value]) => fieldParts(name, value))
  // Last, so that a host knows what to do with it when it comes.
  return [...parts, { name: 'file', file: task.audio, filename: task.audio.name }]
}

/**
 * What a client may say beside the fields that every host has. Nothing else is passed on: some hosts fetch a recording
 * of any length from an address in place of the file, or have the answer in another form.
 */
const knownExtras = new Set([
  'chunking_strategy',
  'include',
  'known_speaker_names',
  'known_speaker_references',
  'diarize',
  'user',
])

/** Lists go by another name in a form than in JSON. */
function knownOf(extras: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(extras).flatMap(([name, value]) => {
      const plainName = name.replace(/\[\]$/, '')
      return knownExtras.has(plainName) ? [[Array.isArray(value) ? `${plainName}[]` : name, value]] : []
    }),
  )
}

/** Segments come without being asked for, and asking for words takes longer. */
function granularities({ wants }: TranscriptionTask): string[] {
  if (!wants.words) return wants.segments ? ['segment'] : []
  return wants.segments ? ['word', 'segment'] : ['word']
}

function fieldParts(name: string, value: JsonValue | undefined): FormPart[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return [{ name, value: textOf(value) }]
  return value.map((each) => ({ name, value: textOf(each) }))
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
