import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { noise } from './audio-bytes.ts'

export const spokenSamples = noise(2_000)

const geminiSpeechUsage: JsonObject = {
  promptTokenCount: 4,
  candidatesTokenCount: 60,
  totalTokenCount: 64,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
  candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 60 }],
}

const knownFields: ReadonlySet<string> = new Set(['responseModalities', 'speechConfig', 'temperature', 'seed'])

/** Gemini speech, at AI Studio and at Vertex: samples in a document; unknown fields are rejected. */
export function playGeminiSpeech(changes: JsonObject = {}): MediaHandler {
  return (call) => {
    const { 'x-goog-api-key': key, authorization } = call.headers
    if (key !== 'upstream-secret' && authorization !== 'Bearer upstream-secret') return refusal(401, 'UNAUTHENTICATED')
    if (!/\/models\/[\w.-]+:generateContent$/.test(call.path)) return refusal(404, 'NOT_FOUND')
    const config = objectAt(call.json, 'generationConfig')
    const unknown = Object.keys(config).find((name) => !knownFields.has(name))
    if (unknown !== undefined) return refusal(400, `Unknown name "${unknown}" at 'generation_config'`)
    if (!voices.has(voiceOf(config))) return refusal(400, 'Voice name is not supported.')
    const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: spokenSamples.toString('base64') }
    const content = { role: 'model', parts: [{ inlineData }] }
    return {
      body: {
        candidates: [{ content, finishReason: 'STOP', index: 0 }],
        usageMetadata: geminiSpeechUsage,
        modelVersion: 'gemini-2.5-flash-preview-tts',
        ...changes,
      },
    }
  }
}

const voices: ReadonlySet<unknown> = new Set(['Kore', 'Puck', 'Zephyr'])

function voiceOf({ speechConfig }: JsonObject): unknown {
  const voiceConfig = objectAt(isJsonObject(speechConfig) ? speechConfig : {}, 'voiceConfig')
  return objectAt(voiceConfig, 'prebuiltVoiceConfig')['voiceName']
}

function refusal(code: number, message: string): MediaAnswer {
  return { status: code, body: { error: { code, message, status: code === 400 ? 'INVALID_ARGUMENT' : message } } }
}
