import { promptIn } from './minimax.ts'
import {
  pathOf,
  type RefusalKind,
  refusalStatus,
  type ShownOrder,
  showsBearer,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

/** Seedance's tasks, which count tokens. */
export const arkShape: VideoShape = {
  vendor: 'byteplus',
  basePath: '/api/v3',
  isAuthorized: showsBearer,
  recognise: (call) => {
    const [all, id] = /^\/api\/v3\/contents\/generations\/tasks(?:\/([\w-]+))?$/.exec(pathOf(call)) ?? []
    if (all === undefined) return null
    if (call.method === 'POST') return { kind: 'submit', name: null, prompt: promptIn(call) }
    return id === undefined ? null : { kind: 'poll', id }
  },
  accepted: ({ id }) => ({ body: { id } }),
  progress: (order, stage) => ({ body: taskOf(order, stage) }),
  refused: (why) => ({
    status: refusalStatus[why],
    body: { error: { code: codes[why], message: `Ark refuses: ${why}`, param: '', type: 'Error' } },
  }),
}

const codes: Readonly<Record<RefusalKind, string>> = {
  failing: 'InternalServiceError',
  limited: 'RateLimitExceeded.EndpointRPMExceeded',
  invalid: 'InvalidParameter',
  missing: 'ResourceNotFound',
  unauthorized: 'AuthenticationError',
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'queued',
  working: 'running',
  made: 'succeeded',
  failed: 'failed',
  moderated: 'failed',
  odd: 'resting',
}

function taskOf({ id, links, failure, body }: ShownOrder, stage: VideoStage): object {
  const refused = { code: 'OutputVideoSensitiveContentDetected', message: 'The output may have what it should not.' }
  return {
    id,
    model: body.model,
    status: statuses[stage],
    error:
      stage === 'failed' ? { code: 'InternalServiceError', message: failure } : stage === 'moderated' ? refused : null,
    ...(stage === 'made'
      ? {
          content: { video_url: links[0], last_frame_url: 'https://frames.test/last.png' },
          usage: { completion_tokens: 108_900, total_tokens: 108_900 },
          resolution: body.resolution ?? '720p',
          ratio: body.ratio ?? '16:9',
          duration: body.duration,
          framespersecond: 24,
        }
      : {}),
    created_at: 1,
    updated_at: 2,
  }
}
