import { Type } from 'typebox'
import { openGenerationScope } from '#control/usage/usage-scope.ts'
import { parseJobId, publicJobId } from '#domain/video/job-id.ts'
import { videoJobJson } from '#domain/video/job-json.ts'
import { videoKey } from '#domain/video/video-key.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { SeenVideoJob, VideoJobs, VideoListQuery } from '#ports/videos.ts'
import type { Endpoint, EndpointReply, EndpointRequest } from '../endpoint.ts'
import { replyWithBlob } from '../reply-with-blob.ts'
import { limitOf, type Query, refuseValue, scopeQuestionOf, textOf } from '../request-values.ts'
import { ofOrganization } from '../schema-types.ts'
import { openVideoScope } from './open-video-scope.ts'
import { videoJobSchema, videoListQuerySchema, videoListSchema } from './video-job-schema.ts'

interface VideoEndpointDeps {
  readonly jobs: Pick<VideoJobs, 'find' | 'list'>
  readonly memberships: Memberships
  readonly blobs: BlobStore
}

/** Jobs from the store: reading a job never calls its provider. */
export function videoEndpoints(deps: VideoEndpointDeps): Endpoint[] {
  return [
    {
      name: 'listVideos',
      method: 'GET',
      paths: ['/v1/videos'],
      tag: 'Account',
      summary: 'List video jobs',
      access: 'account.read',
      query: videoListQuerySchema,
      reply: { status: 200, description: 'A page of video jobs, newest first.', schema: videoListSchema },
      errors: ['malformedRequest', 'notFound'],
      handle: (request) => listVideos(deps, request),
    },
    {
      name: 'getVideo',
      method: 'GET',
      paths: ['/v1/videos/:jobId', '/v1/video/generations/:jobId'],
      tag: 'Inference',
      summary: 'Get a video job',
      access: 'videos.read',
      isUnlimited: true,
      query: Type.Object({ organization: ofOrganization }),
      reply: { status: 200, description: 'The video job.', schema: videoJobSchema },
      errors: ['notFound'],
      handle: async (request) => ({ body: videoJobJson(await jobOf(deps, request), request.basePath) }),
    },
    {
      name: 'getVideoContent',
      method: 'GET',
      paths: ['/v1/videos/:jobId/content', '/v1/video/generations/:jobId/content'],
      tag: 'Inference',
      summary: 'Download a video',
      access: 'videos.read',
      query: Type.Object({
        organization: ofOrganization,
        index: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
      }),
      reply: {
        status: 200,
        description: 'The video file, or the requested byte range.',
        schema: Type.String({ format: 'binary' }),
        contentTypes: ['video/mp4'],
      },
      errors: ['malformedRequest', 'notFound', 'notFinished', 'gone', 'rangeNotSatisfiable'],
      handle: (request) => contentOf(deps, request),
    },
  ]
}

async function listVideos(deps: VideoEndpointDeps, request: EndpointRequest): Promise<EndpointReply> {
  const { query } = request
  const asked = {
    model: textOf(query, 'model'),
    status: statusOf(query),
    before: beforeOf(query),
    limit: limitOf(query, { fallback: 20, max: 100 }),
  }
  const scope = await openGenerationScope(deps.memberships, scopeQuestionOf(request))
  // One row more than requested tells whether there is a next page.
  const found = await deps.jobs.list({ ...asked, scope, limit: asked.limit + 1 })
  const page = found.slice(0, asked.limit)
  const last = found.length > asked.limit ? page.at(-1) : undefined
  return {
    body: {
      data: page.map((job) => videoJobJson(job, request.basePath)),
      next_cursor: last === undefined ? null : publicJobId(last.id),
    },
  }
}

function statusOf(query: Query): VideoListQuery['status'] {
  const text = textOf(query, 'status')
  const status = statuses.find((each) => each === text) ?? null
  if (text !== null && status === null) throw refuseValue('status', `one of ${statuses.join(', ')}`)
  return status
}

const statuses = ['pending', 'in_progress', 'completed', 'failed'] as const

function beforeOf(query: Query): Uuid | null {
  const text = textOf(query, 'before')
  const id = text === null ? null : parseJobId(text)
  if (id === undefined) throw refuseValue('before', 'a next_cursor from a previous page')
  return id
}

async function jobOf(deps: VideoEndpointDeps, request: EndpointRequest): Promise<SeenVideoJob> {
  const id = parseJobId(request.params['jobId'] ?? '')
  const job = id === undefined ? null : await deps.jobs.find(await openVideoScope(deps.memberships, request), id)
  if (job === null) throw new GatewayError('notFound', { message: 'Video job not found.' })
  return job
}

async function contentOf(deps: VideoEndpointDeps, request: EndpointRequest): Promise<EndpointReply> {
  const index = indexOf(request.query['index'])
  const job = await jobOf(deps, request)
  if (job.progress.status !== 'completed') {
    const message = `Job ${publicJobId(job.id)} is ${job.progress.status}. Its video can be downloaded once it is completed.`
    throw new GatewayError('notFinished', { message })
  }
  if (index >= job.progress.outputs.length) {
    throw new GatewayError('notFound', {
      message: `The job has ${job.progress.outputs.length} videos; index starts at 0.`,
    })
  }
  const isKept = job.storedUntilMs !== null && request.nowMs < job.storedUntilMs
  const reply = isKept ? await replyWithBlob(deps.blobs, videoKey(job, index), request) : null
  if (reply === null) throw new GatewayError('gone', { message: 'This video has expired.' })
  return reply
}

function indexOf(text: string | undefined): number {
  if (text === undefined) return 0
  if (!/^\d+$/.test(text)) throw refuseValue('index', 'an integer from 0')
  return Number(text)
}
