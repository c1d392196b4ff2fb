import { pngOf } from '#test/media/proxy/sample-images.ts'
import type { MediaAnswer, MediaCall } from '#test/simulators/start-media-upstream.ts'

/** The URL of a generated image at a simulated host. */
export function madeAddress(call: MediaCall, name: string): string {
  return `http://${call.headers.host}/made/${name}.png`
}

/** The image itself, for requests to its URL. */
export function playMade({ method, path }: MediaCall): MediaAnswer | undefined {
  if (method !== 'GET' || !path.startsWith('/made/')) return undefined
  return { headers: { 'content-type': 'image/png' }, body: madePng }
}

export const madePng = pngOf({ width: 64, height: 32 })
