import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import type { VideoHostName } from '#test/simulators/media/videos/hosts.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import { type TwinUpstream, upstreamKey } from '../twin.ts'

/** An upstream of images, audio or vectors; the handler is made anew, since some count what they are asked. */
export function serving(handlerOf: () => MediaHandler): () => Promise<TwinUpstream> {
  return () => startMediaUpstream(handlerOf())
}

/** A host of videos, which makes each order at the first poll. */
export function filming(host: VideoHostName): () => Promise<TwinUpstream> {
  return async () => {
    const upstream = await startVideoUpstream(host, { key: upstreamKey })
    return { url: new URL(upstream.baseUrl).origin, close: () => upstream.close() }
  }
}

/** How Vertex is reached by both sides. */
export const vertexHost = {
  provider: 'google-vertex',
  baseUrl: 'https://us-central1-aiplatform.googleapis.com/v1/projects/acme/locations/us-central1',
} as const

/** How Bedrock is reached by both sides. */
export const bedrock = {
  provider: 'amazon-bedrock',
  baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  credential: 'AKIAEXAMPLE:upstream-secret',
} as const
