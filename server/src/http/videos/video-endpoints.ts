import { Type } from 'typebox'
import { parseJobId, publicJobId } from '#domain/video/job-id.ts'
import { videoJobJson } from '#domain/video/job-json.ts'
import { videoKey } from '#domain/video/video-key.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { SeenVideoJob, VideoJobs } from '#ports/videos.ts'
import { type Endpoint, type EndpointReply, type EndpointRequest, principalOf } from '../endpoint.ts'
import { replyWithBlob } from '../reply-with-blob.ts'
import { videoJobSchema } from './video-job-schema.ts'

export interface VideoEndpointDeps {
  readonly jobs: Pick<VideoJobs, 'find'>
  readonly blobs: BlobStore
}

/** Jobs as they are stored: asking for one never asks its provider. */
export function videoEndpoints(deps: VideoEndpointDeps): Endpoint[] {
  return [
    {
      name: 'getVideo',
      method: 'GET',
      paths: ['/v1/videos/:jobId', '/v1/video/generations/:jobId'],
      tag: 'Inference',
      summary: 'Look at the job of a video',
      access: 'models.call',
      isUnlimited: true,
      reply: { status: 200, description: 'The job', schema: videoJobSchema },
      errors: ['notFound'],
      handle: async (request) => ({ body: videoJobJson(await jobOf(deps, request)) }),
    },
    {
      name: 'getVideoContent',
      method: 'GET',
      paths: ['/v1/videos/:jobId/content', '/v1/video/generations/:jobId/content'],
      tag: 'Inference',
      summary: 'Fetch a video',
      access: 'models.call',
      query: Type.Object({ index: Type.Optional(Type.Integer({ minimum: 0, default: 0 })) }),
      reply: {
        status: 200,
        description: 'The bytes of the video, or the range of them that was asked for.',
        schema: Type.String({ format: 'binary' }),
        contentTypes: ['video/mp4'],
      },
      errors: ['notFound', 'notFinished', 'gone', 'rangeNotSatisfiable'],
      handle: (request) => contentOf(deps, request),
    },
  ]
}

async function jobOf({ jobs }: VideoEndpointDeps, request: EndpointRequest): Promise<SeenVideoJob> {
  const id = parseJobId(request.params['jobId'] ?? '')
  const job = id === undefined ? null : await jobs.find(principalOf(request).walletId, id)
  if (job === null) throw new GatewayError('notFound', { message: 'There is no such video job.' })
  return job
}

async function contentOf(deps: VideoEndpointDeps, request: EndpointRequest): Promise<EndpointReply> {
  const job = await jobOf(deps, request)
  if (job.progress.status !== 'completed') {
    const message = `The job ${publicJobId(job.id)} is ${job.progress.status}; its video can be fetched once it is completed.`
    throw new GatewayError('notFinished', { message })
  }
  const index = indexOf(request.query['index'])
  if (index >= job.progress.outputs.length) {
    throw new GatewayError('notFound', {
      message: `The job made ${job.progress.outputs.length} videos, counted from 0.`,
    })
  }
  const isKept = job.storedUntilMs !== null && request.nowMs < job.storedUntilMs
  const reply = isKept ? await replyWithBlob(deps.blobs, videoKey(job, index), request) : null
  if (reply === null) throw new GatewayError('gone', { message: 'This video is no longer kept.' })
  return reply
}

function indexOf(text: string | undefined): number {
  if (text === undefined) return 0
  return /^\d{1,4}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
}
