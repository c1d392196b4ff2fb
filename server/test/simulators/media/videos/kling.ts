import { createHmac } from 'node:crypto'
import { parseJsonObject } from '#lib/json.ts'
import type { MediaCall } from '#test/simulators/start-media-upstream.ts'
import {
  pathOf,
  type RefusalKind,
  type ShownOrder,
  showsBearer,
  textIn,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

const form = /^\/v1\/videos\/(?:text2video|image2video|multi-image2video|omni-video)(?:\/([\w-]+))?$/

/** Every response is in an envelope with a code, and tasks are found by our name as well as by Kling's id. */
export const klingShape: VideoShape = {
  vendor: 'kling',
  basePath: '',
  isAuthorized: (call, key) => showsBearer(call, key) || showsToken(call, key),
  recognise: (call) => {
    const found = form.exec(pathOf(call))
    if (found === null) return null
    const { external_task_id: name, prompt } = call.json
    if (call.method === 'POST') return { kind: 'submit', name: textIn(name) || null, prompt: textIn(prompt) }
    return found[1] === undefined ? null : { kind: 'poll', id: found[1] }
  },
  accepted: ({ id }) => ({ body: envelope({ task_id: id, task_status: 'submitted', created_at: 1, updated_at: 1 }) }),
  progress: (order, stage) => ({ body: envelope(taskOf(order, stage)) }),
  refused: (why) => {
    const [status, code, message] = refusals[why]
    return { status, body: { code, message, request_id: 'request-1' } }
  },
}

function envelope(data: object): object {
  return { code: 0, message: 'SUCCEED', request_id: 'request-1', data }
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'submitted',
  working: 'processing',
  made: 'succeed',
  failed: 'failed',
  moderated: 'failed',
  odd: 'resting',
}

function taskOf({ id, name, links, failure, body }: ShownOrder, stage: VideoStage): object {
  const videos = links.map((url, index) => ({
    id: `${id}-${index}`,
    url,
    watermark_url: `${url}?marked`,
    duration: body.duration ?? '5',
  }))
  return {
    task_id: id,
    task_status: statuses[stage],
    task_status_msg: stage === 'moderated' ? 'Failure to pass the risk control system' : failure,
    task_info: { external_task_id: name },
    ...(stage === 'made' ? { task_result: { videos }, final_unit_deduction: '3.5' } : {}),
    created_at: 1,
    updated_at: 2,
  }
}

// Bad requests and an empty account have status 200, as Kling may do.
const refusals: Readonly<Record<RefusalKind, readonly [number, number, string]>> = {
  failing: [500, 5000, 'Server internal error'],
  limited: [429, 1302, 'API request too fast'],
  invalid: [200, 1201, 'Invalid value of duration'],
  missing: [404, 1203, 'The requested resource does not exist'],
  unauthorized: [401, 1002, 'Authorization is invalid'],
}

/** A signed and current token made from `ACCESS:SECRET`. */
function showsToken({ headers }: MediaCall, key: string): boolean {
  const [accessKey = '', secret = ''] = key.split(':')
  const [head = '', claims = '', signature] = headers.authorization?.replace(/^Bearer /, '').split('.') ?? []
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url')
  if (secret === '' || signature !== expected) return false
  const { alg, typ } = parseJsonObject(Buffer.from(head, 'base64url').toString()) ?? {}
  const { iss, exp, nbf } = parseJsonObject(Buffer.from(claims, 'base64url').toString()) ?? {}
  const nowS = Date.now() / 1_000
  return alg === 'HS256' && typ === 'JWT' && iss === accessKey && Number(exp) > nowS && Number(nbf) <= nowS
}
