import {
  pathOf,
  refusalStatus,
  type ShownOrder,
  showsBearer,
  textIn,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

/** Withheld videos are also reported as done. */
export const xaiShape: VideoShape = {
  vendor: 'xai',
  basePath: '/v1',
  isAuthorized: showsBearer,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      const isSubmit = /^\/v1\/videos\/(?:generations|edits|extensions)$/.test(path)
      return isSubmit ? { kind: 'submit', name: null, prompt: textIn(call.json.prompt) } : null
    }
    const id = /^\/v1\/videos\/([\w-]+)$/.exec(path)?.[1]
    return id === undefined ? null : { kind: 'poll', id }
  },
  accepted: ({ id }) => ({ body: { request_id: id } }),
  progress: (order, stage) => ({ status: isOpen(stage) ? 202 : 200, body: jobOf(order, stage) }),
  refused: (why) => ({ status: refusalStatus[why], body: { code: why, error: `xAI refuses: ${why}` } }),
}

function isOpen(stage: VideoStage): boolean {
  return stage === 'pending' || stage === 'working' || stage === 'odd'
}

function jobOf({ links, failure, body }: ShownOrder, stage: VideoStage): object {
  const video = { url: links[0] ?? '', duration: body.duration ?? 5, respect_moderation: stage !== 'moderated' }
  switch (stage) {
    case 'pending':
      return { status: 'pending' }
    case 'working':
      return { status: 'pending', progress: 40 }
    case 'odd':
      return { status: 'resting' }
    case 'failed':
      return { status: 'failed', error: { code: 'internal_error', message: failure } }
    case 'made':
    case 'moderated':
      return { status: 'done', progress: 100, video, usage: { cost_in_usd_ticks: 3_500_000_000 } }
  }
}
