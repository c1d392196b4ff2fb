import { pathOf, refusalStatus, textIn, type VideoShape, type VideoStage } from './video-shape.ts'

/** A queue: only the result tells the outcome of a completed request. */
export const falShape: VideoShape = {
  vendor: 'fal',
  basePath: '',
  isAuthorized: ({ headers }, key) => headers.authorization === `Key ${key}`,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') return { kind: 'submit', name: null, prompt: textIn(call.json.prompt) }
    // Only owner and name, without the path of the app to which it was submitted.
    const [, id, status] = /^\/[\w-]+\/[\w.-]+\/requests\/([\w-]+)(\/status)?$/.exec(path) ?? []
    if (id === undefined) return null
    return { kind: status === undefined ? 'result' : 'poll', id }
  },
  accepted: ({ id, path, origin }) => ({
    body: { request_id: id, status: 'IN_QUEUE', status_url: `${origin}${path}/elsewhere`, response_url: origin },
  }),
  progress: ({ id }, stage) => ({ status: 202, body: { request_id: id, status: statuses[stage], logs: null } }),
  result: ({ links, failure }, stage) => {
    switch (stage) {
      case 'made':
        return { body: { video: { url: links[0], content_type: 'video/mp4', file_size: 4_096 } } }
      case 'failed':
        return { status: 500, body: { detail: failure } }
      case 'moderated': {
        const item = { loc: ['body', 'prompt'], msg: 'It was refused.', type: 'content_policy_violation' }
        return { status: 422, body: { detail: [item] } }
      }
      default:
        return { status: 400, body: { detail: 'Request is still in progress' } }
    }
  },
  refused: (why) => ({ status: refusalStatus[why], body: { detail: `fal refuses: ${why}` } }),
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'IN_QUEUE',
  working: 'IN_PROGRESS',
  made: 'COMPLETED',
  failed: 'COMPLETED',
  moderated: 'COMPLETED',
  odd: 'RESTING',
}
