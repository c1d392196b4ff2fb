import type { MediaCall } from '#test/simulators/start-media-upstream.ts'
import {
  pathOf,
  refusalStatus,
  showsBearer,
  textIn,
  type VideoRequest,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'queued',
  working: 'processing',
  made: 'completed',
  failed: 'failed',
  moderated: 'failed',
  odd: 'napping',
}

export const lumaAgentsShape: VideoShape = {
  vendor: 'luma',
  basePath: '/v1',
  isAuthorized: showsBearer,
  recognise: (call) => requestIn(call, /^\/v1\/generations$/, /^\/v1\/generations\/([\w-]+)$/),
  accepted: ({ id }) => ({ status: 201, body: { id, state: 'queued', output: [] } }),
  progress: ({ id, links, failure }, stage) => ({
    body: {
      id,
      state: statuses[stage],
      output: stage === 'made' ? links.map((url) => ({ type: 'video', url })) : [],
      failure_reason: stage === 'moderated' ? 'It was refused.' : failure || null,
      failure_code: stage === 'moderated' ? 'content_moderated' : stage === 'failed' ? 'generation_failed' : null,
    },
  }),
  refused: (why) => ({ status: refusalStatus[why], body: { detail: `Luma refuses: ${why}` } }),
}

export const lumaDreamMachineShape: VideoShape = {
  vendor: 'luma',
  basePath: '/dream-machine/v1',
  isAuthorized: showsBearer,
  recognise: (call) =>
    requestIn(
      call,
      /^\/dream-machine\/v1\/generations\/video(?:\/modify)?$/,
      /^\/dream-machine\/v1\/generations\/([\w-]+)$/,
    ),
  accepted: ({ id }) => ({ status: 201, body: { id, state: 'queued', failure_reason: null, assets: null } }),
  progress: ({ id, links, failure, body }, stage) => ({
    body: {
      id,
      state: stage === 'working' ? 'dreaming' : statuses[stage],
      failure_reason: stage === 'moderated' ? 'Frame moderation failed' : failure || null,
      assets: stage === 'made' ? { video: links[0], image: `${links[0]}?still` } : null,
      model: body.model,
      request: body,
    },
  }),
  refused: (why) => ({
    status: refusalStatus[why],
    body: { detail: [{ type: 'value_error', loc: ['body', 'duration'], msg: `Luma refuses: ${why}`, input: null }] },
  }),
}

function requestIn(call: MediaCall, submit: RegExp, poll: RegExp): VideoRequest | null {
  const path = pathOf(call)
  if (call.method === 'POST') {
    return submit.test(path) ? { kind: 'submit', name: null, prompt: textIn(call.json.prompt) } : null
  }
  const id = poll.exec(path)?.[1]
  return id === undefined ? null : { kind: 'poll', id }
}
