import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import type { VideoHostName } from '#test/simulators/media/videos/hosts.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import { type TwinUpstream, upstreamKey } from '../twin.ts'

/** An upstream of images, audio or vectors; the handler is created anew, because some count their requests. */
export function serving(handlerOf: () => MediaHandler): () => Promise<TwinUpstream> {
  return () => startMediaUpstream(handlerOf())
}

/** A video host that completes each order at the first poll. */
export function filming(host: VideoHostName): () => Promise<TwinUpstream> {
  return async () => {
    const upstream = await startVideoUpstream(host, { key: upstreamKey })
    return { url: new URL(upstream.baseUrl).origin, close: () => upstream.close() }
  }
}

/** The Vertex settings of both sides. */
export const vertexHost = {
  provider: 'google-vertex',
  baseUrl: 'https://us-central1-aiplatform.googleapis.com/v1/projects/acme/locations/us-central1',
} as const

/** The Bedrock settings of both sides. */
export const bedrock = {
  provider: 'amazon-bedrock',
  baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  credential: 'AKIAEXAMPLE:upstream-secret',
} as const
