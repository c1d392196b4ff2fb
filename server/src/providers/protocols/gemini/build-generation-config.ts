import type { CanonicalCall, ResponseFormat } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { knownExtra } from './known-extras.ts'
import { buildThinkingConfig } from './thinking-config.ts'

/** Sends only the options that the client set. Otherwise Gemini's defaults apply. */
export function buildGenerationConfig(call: CanonicalCall, target: Target): JsonObject {
  const { sampling } = call
  return spoken({
    temperature: sampling.temperature,
    topP: sampling.topP,
    // Zero means no top-k sampling, which is expressed by omitting the field.
    topK: sampling.topK === 0 ? undefined : sampling.topK,
    maxOutputTokens: call.maxTokens ?? undefined,
    stopSequences: sampling.stop === undefined || sampling.stop.length === 0 ? undefined : [...sampling.stop],
    candidateCount: call.choiceCount > 1 ? call.choiceCount : undefined,
    seed: sampling.seed,
    frequencyPenalty: sampling.frequencyPenalty,
    presencePenalty: sampling.presencePenalty,
    ...formatFields(call.responseFormat),
    thinkingConfig: call.reasoning === null ? undefined : buildThinkingConfig(call.reasoning, target),
    responseModalities: modalities(call.extras),
    imageConfig: imageConfig(call.extras),
    mediaResolution: knownExtra(call.extras, 'mediaResolution'),
  })
}

function formatFields(format: ResponseFormat | null): JsonObject {
  if (format === null) return {}
  const responseMimeType = 'application/json'
  return format.kind === 'json' ? { responseMimeType } : { responseMimeType, responseJsonSchema: format.schema }
}

function modalities(extras: JsonObject): string[] | undefined {
  const wanted = knownExtra(extras, 'modalities')
  if (!Array.isArray(wanted)) return undefined
  const names = wanted.filter((name) => typeof name === 'string').map((name) => name.toUpperCase())
  return names.length === 0 ? undefined : names
}

/** Clients of several vendors use snake case. */
function imageConfig(extras: JsonObject): JsonObject | undefined {
  const wanted = knownExtra(extras, 'imageConfig')
  if (!isJsonObject(wanted)) return undefined
  const renamed = Object.entries(wanted).map(([key, value]) => [key.replace(/_([a-z])/g, upperCased), value])
  return Object.fromEntries(renamed)
}

function upperCased(_match: string, letter: string): string {
  return letter.toUpperCase()
}

function spoken(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
