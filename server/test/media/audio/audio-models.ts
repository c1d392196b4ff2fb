import type { JsonObject } from '#lib/json.ts'

interface AudioModel {
  readonly id: string
  readonly kind: 'speech' | 'transcription'
  readonly provider: string
  readonly pricing: JsonObject
  readonly rest?: JsonObject
}

/** A model in the format of an import file. */
export function audioModel({ id, kind, provider, pricing, rest = {} }: AudioModel): JsonObject {
  const name = id.slice(id.indexOf('/') + 1)
  return {
    id,
    name,
    author: id.slice(0, id.indexOf('/')),
    kind,
    provider,
    upstream_model_id: name,
    input_modalities: [kind === 'speech' ? 'text' : 'audio'],
    output_modalities: [kind],
    pricing,
    offers: [{ provider, upstream_model_id: name, pricing }],
    status: 'active',
    ...rest,
  }
}

export const tts = audioModel({
  id: 'openai/tts-1',
  kind: 'speech',
  provider: 'openai',
  pricing: { per_character: '0.000015' },
})

export const whisper = audioModel({
  id: 'openai/whisper-1',
  kind: 'transcription',
  provider: 'openai',
  pricing: { per_second_input: '0.0001' },
})

export const gptTranscribe = audioModel({
  id: 'openai/gpt-4o-transcribe',
  kind: 'transcription',
  provider: 'openai',
  pricing: { audio_input: '0.0000025', prompt: '0.0000025', completion: '0.00001' },
})
