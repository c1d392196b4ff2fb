import {
  refusalStatus,
  pathOf,
  type ShownOrder,
  showsBearer,
  textIn,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'
import type { MediaCall } from '#test/simulators/start-media-upstream.ts'

/** Accepts orders as JSON or as a form, and serves videos with the key alone. */
export const openAiShape: VideoShape = {
  vendor: 'openai',
  basePath: '/v1',
  isAuthorized: showsBearer,
  recognise: async (call) => {
    const [, id, content] = /^\/v1\/videos(?:\/([\w-]+)(\/content)?)?$/.exec(pathOf(call)) ?? []
    if (call.method === 'POST') return { kind: 'submit', name: null, prompt: await promptOf(call) }
    if (id === undefined) return null
    return content === undefined ? { kind: 'poll', id } : { kind: 'file', id, index: 0 }
  },
  accepted: (order) => ({ body: videoOf(order, 'pending') }),
  progress: (order, stage) => ({ body: videoOf(order, stage) }),
  refused: (why) => ({
    status: refusalStatus[why],
    body: { error: { message: `OpenAI refuses: ${why}`, type: errorTypes[why], param: null, code: null } },
  }),
}

const errorTypes = {
  failing: 'server_error',
  limited: 'rate_limit_error',
  invalid: 'invalid_request_error',
  missing: 'invalid_request_error',
  unauthorized: 'invalid_request_error',
} as const

async function promptOf({ headers, bytes, json }: MediaCall): Promise<string> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return textIn(json.prompt)
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return textIn(form.get('prompt'))
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'queued',
  working: 'in_progress',
  made: 'completed',
  failed: 'failed',
  moderated: 'failed',
  odd: 'rendering',
}

function videoOf({ id, body, failure }: ShownOrder, stage: VideoStage): object {
  return {
    id,
    object: 'video',
    model: body.model ?? 'sora-2',
    status: statuses[stage],
    progress: stage === 'made' ? 100 : 0,
    seconds: body.seconds ?? '4',
    size: body.size ?? '720x1280',
    created_at: 1,
    completed_at: stage === 'made' ? 2 : null,
    error: errorOf(stage, failure),
  }
}

function errorOf(stage: VideoStage, message: string): object | null {
  if (stage === 'moderated') return { code: 'moderation_blocked', message: 'Your request was blocked.' }
  return stage === 'failed' ? { code: 'video_generation_failed', message } : null
}
