import {
  pathOf,
  refusalStatus,
  type ShownOrder,
  showsBearer,
  textIn,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

/** OpenRouter's links lead to OpenRouter itself and need the key. */
export const openRouterShape: VideoShape = {
  vendor: 'openrouter',
  basePath: '/api/v1',
  isAuthorized: showsBearer,
  recognise: (call) => {
    const [all, id, content] = /^\/api\/v1\/videos(?:\/([\w-]+)(\/content)?)?$/.exec(pathOf(call)) ?? []
    if (all === undefined) return null
    if (call.method === 'POST') return { kind: 'submit', name: null, prompt: textIn(call.json.prompt) }
    if (id === undefined) return null
    const index = Number(new URLSearchParams(call.path.split('?')[1]).get('index') ?? 0)
    return content === undefined ? { kind: 'poll', id } : { kind: 'file', id, index }
  },
  accepted: (order) => ({ status: 202, body: jobOf(order, 'pending') }),
  progress: (order, stage) => ({ body: jobOf(order, stage) }),
  refused: (why) => ({
    status: refusalStatus[why],
    body: { error: { message: `OpenRouter refuses: ${why}`, code: refusalStatus[why] } },
  }),
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'pending',
  working: 'in_progress',
  made: 'completed',
  failed: 'failed',
  moderated: 'failed',
  odd: 'routing',
}

function jobOf({ id, origin, links, failure }: ShownOrder, stage: VideoStage): object {
  const url = `${origin}/api/v1/videos/${id}`
  return {
    id,
    polling_url: url,
    status: statuses[stage],
    ...(stage === 'made'
      ? {
          unsigned_urls: links.map((_, index) => `${url}/content?index=${index}`),
          usage: { cost: 0.5, is_byok: false },
        }
      : {}),
    ...(stage === 'failed' ? { error: failure } : {}),
    ...(stage === 'moderated' ? { error: 'The request was flagged by moderation.' } : {}),
  }
}
