import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madeAddress, madePng, playMade } from './made.ts'

interface ArkScript {
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
  readonly data?: (call: MediaCall) => unknown
}

/** Ark: OpenAI's format, with its own sizes and counts. */
export function playArk({ refuse, data = onlyAddress }: ArkScript = {}): MediaHandler {
  return (call) =>
    playMade(call) ??
    refuse?.(call) ?? {
      body: {
        model: call.json['model'],
        created: 1_757_321_139,
        data: data(call),
        usage: { generated_images: 1, output_tokens: 16_384, total_tokens: 16_384 },
      },
    }
}

function onlyAddress(call: MediaCall): unknown {
  return [{ url: madeAddress(call, 'seedream'), size: '2048x2048' }]
}

export function base64Data(): unknown {
  return [{ b64_json: madePng.toString('base64'), size: '2048x2048' }]
}

export function arkError(status: number, code: string, message: string): MediaAnswer {
  return { status, body: { error: { code, message, param: '', type: 'BadRequest' } } }
}
