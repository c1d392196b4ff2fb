import type { JsonObject } from '#lib/json.ts'
import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madePng } from './made.ts'

interface GeminiImagesScript {
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
  readonly parts?: readonly JsonObject[]
  readonly finishReason?: string
  readonly usage?: JsonObject
}

export const geminiImageUsage: JsonObject = {
  promptTokenCount: 270,
  candidatesTokenCount: 1_300,
  totalTokenCount: 1_570,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 12 },
    { modality: 'IMAGE', tokenCount: 258 },
  ],
  candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_290 }],
}

const drawnPart: JsonObject = { inlineData: { mimeType: 'image/png', data: madePng.toString('base64') } }

/** Gemini images, as a document or as a stream of one frame, and Imagen. */
export function playGeminiImages(script: GeminiImagesScript = {}): MediaHandler {
  const {
    refuse,
    parts = [{ text: 'Here it is.' }, drawnPart],
    finishReason = 'STOP',
    usage = geminiImageUsage,
  } = script
  return (call) => {
    const refused = refuse?.(call)
    if (refused !== undefined) return refused
    if (call.path.includes(':predict')) return { body: { predictions: predictionsFor(call) } }
    const frame = { candidates: [{ content: { role: 'model', parts }, finishReason }], usageMetadata: usage }
    if (!call.path.includes(':streamGenerateContent')) return { body: frame }
    return { headers: { 'content-type': 'text/event-stream' }, body: `data: ${JSON.stringify(frame)}\n\n` }
  }
}

function predictionsFor({ json }: MediaCall): JsonObject[] {
  const { sampleCount = 1 } = Object(json['parameters'])
  return Array.from({ length: sampleCount }, () => ({
    mimeType: 'image/png',
    bytesBase64Encoded: madePng.toString('base64'),
  }))
}
