import { objectAt } from '#lib/json.ts'
import {
  pathOf,
  refusalStatus,
  type ShownOrder,
  showsBearer,
  textIn,
  type VideoShape,
  type VideoStage,
} from './video-shape.ts'

export const replicateShape: VideoShape = {
  vendor: 'replicate',
  basePath: '/v1',
  isAuthorized: showsBearer,
  recognise: (call) => {
    const path = pathOf(call)
    if (call.method === 'POST') {
      const isSubmit = /^\/v1\/(?:models\/[\w-]+\/[\w.-]+\/)?predictions$/.test(path)
      return isSubmit ? { kind: 'submit', name: null, prompt: textIn(objectAt(call.json, 'input').prompt) } : null
    }
    const id = /^\/v1\/predictions\/([\w-]+)$/.exec(path)?.[1]
    return id === undefined ? null : { kind: 'poll', id }
  },
  accepted: (order) => ({ status: 201, body: predictionOf(order, 'pending') }),
  progress: (order, stage) => ({ body: predictionOf(order, stage) }),
  refused: (why) => ({
    status: refusalStatus[why],
    body: { title: why, detail: `Replicate refuses: ${why}`, status: refusalStatus[why] },
  }),
}

const statuses: Readonly<Record<VideoStage, string>> = {
  pending: 'starting',
  working: 'processing',
  made: 'succeeded',
  failed: 'failed',
  moderated: 'failed',
  odd: 'resting',
}

function predictionOf({ id, links, failure }: ShownOrder, stage: VideoStage): object {
  const errors: Partial<Record<VideoStage, string>> = {
    failed: failure,
    moderated: 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)',
  }
  return {
    id,
    status: statuses[stage],
    error: errors[stage] ?? null,
    output: stage === 'made' ? (links.length === 1 ? links[0] : links) : null,
    metrics: { predict_time: 31.4 },
  }
}
