import type { TranscriptionResult } from '#domain/media/media-result.ts'
import type { TranslationTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { MediaCodec } from '../codec.ts'
import { send } from '../exchange-script.ts'
import { type FormPart, formRequest, jsonOf } from '../media-request.ts'
import type { MediaTarget } from '../target.ts'
import { readTranscription } from './read-transcription.ts'

interface TranslationHabits {
  /** Whether the model can translate. Default: every model. */
  readonly translates?: (upstreamModel: string) => boolean
  /** For models with a separate host name. */
  readonly targetFor?: (target: MediaTarget) => MediaTarget
}

/** `POST /audio/translations`, as accepted by OpenAI and those that serve Whisper. */
export function openAiTranslationWith({
  translates = () => true,
  targetFor = (target) => target,
}: TranslationHabits = {}): MediaCodec<TranslationTask, TranscriptionResult> {
  return {
    *converse(task, target) {
      if (!translates(target.upstreamModel)) throw unable(target)
      const request = formRequest(targetFor(target), '/audio/translations', partsFor(task, target.upstreamModel))
      return readTranscription(jsonOf(yield* send(request), readFailure))
    },
  }
}

/** Larger versions of Whisper translate, and the fast one was not taught to. */
export function isTranslatingWhisper(upstreamModel: string): boolean {
  return /whisper/i.test(upstreamModel) && !/turbo/i.test(upstreamModel)
}

function unable({ model }: MediaTarget): GatewayError {
  return new GatewayError('modelEndpointMismatch', {
    message: `"${model}" does not translate. Use POST /v1/audio/transcriptions.`,
  })
}

function partsFor(task: TranslationTask, model: string): FormPart[] {
  const fields = { model, prompt: task.prompt, temperature: task.temperature, response_format: 'verbose_json' }
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: String(value) }],
  )
  // The file comes last, so that an upstream knows the other fields when it arrives.
  return [...parts, { name: 'file', file: task.audio, filename: task.audio.name }]
}
