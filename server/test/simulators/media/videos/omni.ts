import { objectsIn } from '#lib/json.ts'
import type { MediaCall } from '#test/simulators/start-media-upstream.ts'
import { googleRefusal } from './google-refusal.ts'
import { pathOf, type ShownOrder, textIn, type VideoShape, type VideoStage } from './video-shape.ts'

/** Google's Interactions API. Its videos are files that a client fetches with its key. */
export const omniShape: VideoShape = {
  vendor: 'google-ai-studio',
  basePath: '/v1',
  isAuthorized: ({ headers }, key) => headers['x-goog-api-key'] === key,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      return path === '/v1/interactions' ? { kind: 'submit', name: null, prompt: promptOf(call) } : null
    }
    const interaction = /^\/v1\/interactions\/([\w-]+)$/.exec(path)?.[1]
    if (interaction !== undefined) return { kind: 'poll', id: interaction }
    const [, id, index] = /^\/v1\/files\/(order-\d+)-(\d+):download$/.exec(path) ?? []
    return id === undefined ? null : { kind: 'file', id, index: Number(index) }
  },
  accepted: (order) => ({ body: interactionOf(order, 'pending') }),
  progress: (order, stage) => ({ body: interactionOf(order, stage) }),
  refused: googleRefusal,
  filesLeadElsewhere: true,
}

function promptOf({ json: { input } }: MediaCall): string {
  if (typeof input === 'string') return input
  return textIn(objectsIn(input).find(({ type }) => type === 'text')?.text)
}

function interactionOf(order: ShownOrder, stage: VideoStage): object {
  const { id, origin, links, failure, body } = order
  const common = { id, object: 'interaction', model: body.model, role: 'model' }
  switch (stage) {
    case 'pending':
      return { ...common, status: 'queued' }
    case 'working':
      return { ...common, status: 'in_progress' }
    case 'odd':
      return { ...common, status: 'pondering' }
    case 'made': {
      const uris = links.map((_, index) => `${origin}/v1/files/${id}-${index}:download?alt=media`)
      const content = uris.map((uri) => ({ type: 'video', mime_type: 'video/mp4', uri }))
      return { ...common, status: 'completed', steps: [{ type: 'model_output', content }] }
    }
    case 'failed':
      return { ...common, status: 'failed', errors: [{ code: 'invalid_request', message: failure }] }
    case 'moderated': {
      const text = 'It may show what it should not.'
      return { ...common, status: 'completed', steps: [{ type: 'model_output', content: [{ type: 'text', text }] }] }
    }
  }
}
