import { pngOf } from '#test/media/proxy/sample-images.ts'
import type { MediaAnswer, MediaCall } from '#test/simulators/start-media-upstream.ts'

/** Where a simulated host keeps an image that it made. */
export function madeAddress(call: MediaCall, name: string): string {
  return `http://${call.headers.host}/made/${name}.png`
}

/** The image itself, for requests that are for one. */
export function playMade({ method, path }: MediaCall): MediaAnswer | undefined {
  if (method !== 'GET' || !path.startsWith('/made/')) return undefined
  return { headers: { 'content-type': 'image/png' }, body: madePng }
}

export const madePng = pngOf({ width: 64, height: 32 })
