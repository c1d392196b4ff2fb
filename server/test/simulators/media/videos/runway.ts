import {
  pathOf,
  refusalStatus,
  showsBearer,
  textIn,
  type ShownOrder,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

export const runwayShape: VideoShape = {
  vendor: 'runway',
  basePath: '',
  isAuthorized: (call, key) => showsBearer(call, key) && call.headers['x-runway-version'] === '2024-11-06',
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      const isSubmit = /^\/v1\/(?:text|image|video)_to_video$/.test(path)
      return isSubmit ? { kind: 'submit', name: null, prompt: textIn(call.json.promptText) } : null
    }
    const id = /^\/v1\/tasks\/([\w-]+)$/.exec(path)?.[1]
    return id === undefined ? null : { kind: 'poll', id }
  },
  accepted: ({ id }) => ({ body: { id } }),
  progress: (order, stage) => ({ body: taskOf(order, stage) }),
  refused: (why) => ({ status: refusalStatus[why], body: { error: `Runway refuses: ${why}` } }),
}

const statuses: Readonly<Record<VideoStage, string>> = {
  // Accepted and waiting for a slot of the account, which differs from waiting in the queue.
  pending: 'THROTTLED',
  working: 'RUNNING',
  made: 'SUCCEEDED',
  failed: 'FAILED',
  moderated: 'FAILED',
  odd: 'ROLLING',
}

function taskOf({ id, links, failure }: ShownOrder, stage: VideoStage): object {
  return {
    id,
    status: statuses[stage],
    createdAt: '2026-11-14T00:00:00.000Z',
    ...(stage === 'working' ? { progress: 0.5 } : {}),
    ...(stage === 'made' ? { output: links } : {}),
    ...(stage === 'failed' ? { failure, failureCode: 'INTERNAL.BAD_OUTPUT.CODE01' } : {}),
    ...(stage === 'moderated' ? { failure: 'The prompt was refused.', failureCode: 'SAFETY.INPUT.TEXT' } : {}),
  }
}
