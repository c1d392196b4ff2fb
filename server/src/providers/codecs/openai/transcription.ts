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
  /**
   * The most detailed format that a model supports. Null for upstreams that have only one format and reject the field.
   */
  readonly formatFor: (upstreamModel: string) => string | null
  /** Field name of the timings. */
  readonly granularityField: string
  /** Fields that this upstream rejects. They are dropped. */
  readonly refuses?: readonly string[]
  /** For models with a separate host name. */
  readonly targetFor?: (target: MediaTarget) => MediaTarget
}

/** `POST /audio/transcriptions`, as accepted by OpenAI and many others. */
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

/** Whisper has timings, later models do not, and models that distinguish speakers have their own format. */
export function richestFormat(upstreamModel: string): string {
  if (/whisper/i.test(upstreamModel)) return 'verbose_json'
  return /-diarize\b/i.test(upstreamModel) ? 'diarized_json' : 'json'
}

function partsFor(task: TranscriptionTask, upstreamModel: string, habits: TranscriptionHabits): FormPart[] {
  const format = habits.formatFor(upstreamModel)
  const fields: JsonObject = {
    // Required for recordings over half a minute if speakers are distinguished.
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
  // The file comes last, so that an upstream knows the other fields when it arrives.
  return [...parts, { name: 'file', file: task.audio, filename: task.audio.name }]
}

/**
 * Extra fields that a client may send. Nothing else is passed on: some upstreams fetch a recording of any length from a
 * URL instead of the file, or change the format of the response.
 */
const knownExtras = new Set([
  'chunking_strategy',
  'include',
  'known_speaker_names',
  'known_speaker_references',
  'diarize',
  'user',
])

/** Array fields have another name in a form than in JSON. */
function knownOf(extras: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(extras).flatMap(([name, value]) => {
      const plainName = name.replace(/\[\]$/, '')
      return knownExtras.has(plainName) ? [[Array.isArray(value) ? `${plainName}[]` : name, value]] : []
    }),
  )
}

/** Segments are sent by default, and word timings take longer. */
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
