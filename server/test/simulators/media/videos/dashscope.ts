import { objectAt } from '#lib/json.ts'
import {
  pathOf,
  type RefusalKind,
  refusalStatus,
  type ShownOrder,
  showsBearer,
  textIn,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

const submitForm = /^\/api\/v1\/services\/aigc\/(?:video-generation|image2video)\/video-synthesis$/

/** The native API, with another base URL than for chat. It creates videos only asynchronously. */
export const dashscopeShape: VideoShape = {
  vendor: 'alibaba',
  basePath: '/compatible-mode/v1',
  isAuthorized: showsBearer,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      const isSubmit = submitForm.test(path) && call.headers['x-dashscope-async'] === 'enable'
      return isSubmit ? { kind: 'submit', name: null, prompt: textIn(objectAt(call.json, 'input').prompt) } : null
    }
    const id = /^\/api\/v1\/tasks\/([\w-]+)$/.exec(path)?.[1]
    return id === undefined ? null : { kind: 'poll', id }
  },
  accepted: ({ id }) => ({ body: { output: { task_id: id, task_status: 'PENDING' }, request_id: 'request-1' } }),
  progress: (order, stage) => ({ body: jobOf(order, stage) }),
  // A forgotten task is also reported with status 200.
  refused: (why) =>
    why === 'missing'
      ? { body: { output: { task_id: 'unknown', task_status: 'UNKNOWN' }, request_id: 'request-1' } }
      : { status: refusalStatus[why], body: { code: codes[why], message: `It is ${why}.`, request_id: 'request-1' } },
}

const codes: Readonly<Record<RefusalKind, string>> = {
  failing: 'InternalError',
  limited: 'Throttling.RateQuota',
  invalid: 'InvalidParameter',
  missing: '',
  unauthorized: 'InvalidApiKey',
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'PENDING',
  working: 'RUNNING',
  made: 'SUCCEEDED',
  failed: 'FAILED',
  moderated: 'FAILED',
  odd: 'SUSPENDED',
}

function jobOf({ id, links, failure, body }: ShownOrder, stage: VideoStage): object {
  const duration = Number(objectAt(body, 'parameters').duration ?? 5)
  return {
    request_id: 'request-1',
    output: {
      task_id: id,
      task_status: statuses[stage],
      ...(stage === 'made' ? { video_url: links[0], orig_prompt: 'rain', actual_prompt: 'more rain' } : {}),
      ...(stage === 'failed' ? { code: 'InternalError', message: failure } : {}),
      ...(stage === 'moderated' ? { code: 'DataInspectionFailed', message: 'Output data is refused.' } : {}),
    },
    ...(stage === 'made' ? { usage: { duration, output_video_duration: duration, SR: 1_080, video_count: 1 } } : {}),
  }
}
