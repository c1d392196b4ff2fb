import { isJsonObject } from '#lib/json.ts'
import type { MediaCall } from '#test/simulators/start-media-upstream.ts'
import {
  pathOf,
  type RefusalKind,
  refusalStatus,
  type ShownOrder,
  textIn,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

/** Long-running operations of Google's. What was made is a file, which is asked for with the key. */
export const veoShape: VideoShape = {
  vendor: 'google-ai-studio',
  basePath: '/v1beta',
  isAuthorized: ({ headers }, key) => headers['x-goog-api-key'] === key,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      const isSubmit = /^\/v1beta\/models\/[\w.-]+:predictLongRunning$/.test(path)
      return isSubmit ? { kind: 'submit', name: null, prompt: promptOf(call) } : null
    }
    const operation = /^\/v1beta\/models\/[\w.-]+\/operations\/([\w-]+)$/.exec(path)?.[1]
    if (operation !== undefined) return { kind: 'poll', id: operation }
    const [, id, index] = /^\/v1beta\/files\/(order-\d+)-(\d+):download$/.exec(path) ?? []
    return id === undefined ? null : { kind: 'file', id, index: Number(index) }
  },
  accepted: (order) => ({ body: { name: nameOf(order) } }),
  progress: (order, stage) => ({ body: operationOf(order, stage) }),
  refused: (why) => ({ status: refusalStatus[why], body: { error: errorOf(why) } }),
  filesLeadElsewhere: true,
}

function promptOf({ json: { instances } }: MediaCall): string {
  const [first] = Array.isArray(instances) ? instances : []
  return isJsonObject(first) ? textIn(first.prompt) : ''
}

function nameOf({ id, path }: ShownOrder): string {
  const model = /models\/([\w.-]+):/.exec(path)?.[1] ?? 'veo'
  return `models/${model}/operations/${id}`
}

function operationOf(order: ShownOrder, stage: VideoStage): object {
  const { id, origin, links, failure } = order
  const name = nameOf(order)
  switch (stage) {
    case 'pending':
      return { name }
    case 'working':
      return { name, done: false }
    case 'odd':
      return { name, done: 'soon' }
    case 'made': {
      const uris = links.map((_, index) => `${origin}/v1beta/files/${id}-${index}:download?alt=media`)
      const generatedSamples = uris.map((uri) => ({ video: { uri } }))
      return { name, done: true, response: { generateVideoResponse: { generatedSamples } } }
    }
    case 'failed':
      return { name, done: true, error: { code: 3, message: failure, status: 'INVALID_ARGUMENT' } }
    case 'moderated': {
      const refused = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['It may show what it should not.'] }
      return { name, done: true, response: { generateVideoResponse: refused } }
    }
  }
}

const statusNames: Readonly<Record<RefusalKind, string>> = {
  failing: 'UNAVAILABLE',
  limited: 'RESOURCE_EXHAUSTED',
  invalid: 'INVALID_ARGUMENT',
  missing: 'NOT_FOUND',
  unauthorized: 'UNAUTHENTICATED',
}

function errorOf(why: RefusalKind): object {
  return { code: refusalStatus[why], message: `Google refuses: ${why}`, status: statusNames[why] }
}
