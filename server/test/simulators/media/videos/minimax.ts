import { isJsonObject } from '#lib/json.ts'
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

/**
 * The first API: every response has a result code, mostly with status 200, and a third request returns the file's
 * location.
 */
export const hailuoShape: VideoShape = {
  vendor: 'minimax',
  basePath: '/v1',
  isAuthorized: showsBearer,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      return path === '/v1/video_generation' ? { kind: 'submit', name: null, prompt: textIn(call.json.prompt) } : null
    }
    const query = new URLSearchParams(call.path.split('?')[1])
    const [task, file] = [query.get('task_id'), query.get('file_id')]
    if (path === '/v1/query/video_generation' && task !== null) return { kind: 'poll', id: task }
    return path === '/v1/files/retrieve' && file !== null ? { kind: 'result', id: file } : null
  },
  accepted: ({ id }) => ({ body: { task_id: id, base_resp: verdict(0, 'success') } }),
  progress: (order, stage) => ({ body: taskOf(order, stage) }),
  result: ({ id, links }) => ({
    body: { file: { file_id: id, download_url: links[0] }, base_resp: verdict(0, 'success') },
  }),
  refused: (why) => ({ body: { base_resp: verdict(...refusals[why]) } }),
}

function verdict(number: number, text: string): object {
  return { status_code: number, status_msg: text }
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'Queueing',
  working: 'Processing',
  made: 'Success',
  failed: 'Fail',
  moderated: 'Fail',
  odd: 'Polishing',
}

function taskOf({ id, failure }: ShownOrder, stage: VideoStage): object {
  const verdicts: Partial<Record<VideoStage, object>> = {
    failed: verdict(1_000, failure),
    moderated: verdict(1_027, 'output new_sensitive'),
  }
  return {
    task_id: id,
    status: statuses[stage],
    ...(stage === 'made' ? { file_id: id, video_width: 1_366, video_height: 768 } : {}),
    base_resp: verdicts[stage] ?? verdict(0, 'success'),
  }
}

const refusals: Readonly<Record<RefusalKind, readonly [number, string]>> = {
  failing: [1_000, 'unknown error'],
  limited: [1_002, 'rate limit'],
  invalid: [2_013, 'invalid params, duration'],
  missing: [2_013, 'invalid params, task not found'],
  unauthorized: [1_004, 'login fail'],
}

/** The second API: ordinary tasks, and a count of seconds. */
export const hailuo3Shape: VideoShape = {
  vendor: 'minimax-cn',
  basePath: '/v1',
  isAuthorized: showsBearer,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      return path === '/v2/video_generation' ? { kind: 'submit', name: null, prompt: promptIn(call) } : null
    }
    const id = /^\/v2\/query\/video_generation\/([\w-]+)$/.exec(path)?.[1]
    return id === undefined ? null : { kind: 'poll', id }
  },
  accepted: ({ id }) => ({ body: { task_id: id } }),
  progress: (order, stage) => ({ body: { task: secondTaskOf(order, stage) } }),
  refused: hailuoShape.refused,
}

/** The text among the items. */
export function promptIn({ json: { content } }: MediaCall): string {
  const items = Array.isArray(content) ? content.filter(isJsonObject) : []
  return textIn(items.find(({ type }) => type === 'text')?.text)
}

const secondStatuses: Readonly<Record<VideoStage, string>> = {
  pending: 'queued',
  working: 'running',
  made: 'succeeded',
  failed: 'failed',
  moderated: 'failed',
  odd: 'polishing',
}

function secondTaskOf({ id, links, failure, body }: ShownOrder, stage: VideoStage): object {
  const seconds = Number(body.duration ?? 5)
  return {
    id,
    status: secondStatuses[stage],
    ...(stage === 'made'
      ? {
          content: { url: links[0] },
          resolution: body.resolution ?? '2K',
          duration: seconds,
          usage: { total_seconds: seconds + 4, input_seconds: 4, output_seconds: seconds },
        }
      : {}),
    ...(stage === 'failed' ? { error: { code: 1_000, message: failure } } : {}),
    ...(stage === 'moderated' ? { error: { code: 1_026, message: 'input new_sensitive' } } : {}),
  }
}
