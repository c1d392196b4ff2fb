import { isJsonObject } from '#lib/json.ts'
import type { MediaCall } from '#test/simulators/start-media-upstream.ts'
import { googleRefusal } from './google-refusal.ts'
import { pathOf, showsBearer, type ShownOrder, textIn, type VideoShape, type VideoStage } from './video-shape.ts'

const basePath = '/v1/projects/acme/locations/us-central1'
const actionForm = new RegExp(`^${basePath}/publishers/google/models/([\\w.-]+):(\\w+)$`)

/** Veo on Vertex: operations are polled by their names, and contain the videos themselves. */
export const vertexVeoShape: VideoShape = {
  vendor: 'google-vertex',
  basePath,
  isAuthorized: showsBearer,
  recognise: (call) => {
    const [, model, action] = actionForm.exec(pathOf(call)) ?? []
    if (action === 'predictLongRunning') return { kind: 'submit', name: null, prompt: promptOf(call) }
    const name = textIn(call.json['operationName'])
    const prefix = `${basePath.slice('/v1/'.length)}/publishers/google/models/${model}/operations/`
    const isKnown = action === 'fetchPredictOperation' && name.startsWith(prefix)
    return isKnown ? { kind: 'poll', id: name.slice(prefix.length) } : null
  },
  accepted: (order) => ({ body: { name: nameOf(order) } }),
  progress: (order, stage) => ({ body: operationOf(order, stage) }),
  refused: googleRefusal,
}

function promptOf({ json: { instances } }: MediaCall): string {
  const [first] = Array.isArray(instances) ? instances : []
  return isJsonObject(first) ? textIn(first.prompt) : ''
}

function nameOf({ id, path }: ShownOrder): string {
  return `${path.replace('/v1/', '').replace(/:\w+$/, '')}/operations/${id}`
}

const responseType = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse'

function operationOf(order: ShownOrder, stage: VideoStage): object {
  const name = nameOf(order)
  switch (stage) {
    case 'pending':
      return { name }
    case 'working':
      return { name, done: false }
    case 'odd':
      return { name, done: 'soon' }
    case 'made': {
      const bytesBase64Encoded = order.movie().toString('base64')
      const videos = order.links.map(() => ({ bytesBase64Encoded, mimeType: 'video/mp4' }))
      return { name, done: true, response: { '@type': responseType, raiMediaFilteredCount: 0, videos } }
    }
    case 'failed':
      return { name, done: true, error: { code: 3, message: order.failure } }
    case 'moderated': {
      const refused = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['It may show what it should not.'] }
      return { name, done: true, response: { '@type': responseType, ...refused } }
    }
  }
}
