import { Type } from 'typebox'
import { openGenerationScope } from '#control/usage/usage-scope.ts'
import { parseJobId, publicJobId } from '#domain/video/job-id.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { VideoJobs } from '#ports/videos.ts'
import type { WebhookListing, WebhookLists } from '#ports/webhooks.ts'
import type { Endpoint } from '../endpoint.ts'
import { openVideoScope } from '../videos/open-video-scope.ts'
import { limitOf, type Query, refuseValue, scopeQuestionOf, textOf } from '../request-values.ts'
import { ofOrganization, optionalCount, optionalText } from '../schema-types.ts'

interface WebhookDeliveryDeps {
  readonly lists: WebhookLists
  readonly jobs: Pick<VideoJobs, 'find'>
  readonly memberships: Memberships
}

const states = ['delivered', 'waiting', 'given_up'] as const

/** Webhook deliveries of videos and alerts, and their results. */
export function webhookDeliveryEndpoints({ lists, jobs, memberships }: WebhookDeliveryDeps): Endpoint[] {
  return [
    {
      tag: 'Account',
      access: 'account.read',
      name: 'listWebhookDeliveries',
      method: 'GET',
      paths: ['/v1/webhooks/deliveries'],
      summary: 'List webhook deliveries',
      query: querySchema,
      reply: { status: 200, description: 'A page of webhook deliveries, newest first.', schema: listSchema },
      errors: ['malformedRequest', 'notFound'],
      handle: async (request) => {
        const { query } = request
        const asked = { state: stateOf(query), before: beforeOf(query), jobId: jobIdOf(query) }
        const limit = limitOf(query, { fallback: 20, max: 100 })
        const scope = await openGenerationScope(memberships, scopeQuestionOf(request))
        // One row more than requested tells whether there is a next page.
        const found = await lists.list({ ...asked, scope, limit: limit + 1 })
        const page = found.slice(0, limit)
        const next = found.length > limit ? (page.at(-1)?.id ?? null) : null
        return { body: { data: page.map(renderDelivery), next_cursor: next } }
      },
    },
    {
      tag: 'Account',
      access: 'videos.redeliver',
      name: 'redeliverWebhook',
      method: 'POST',
      paths: ['/v1/videos/:jobId/webhook'],
      summary: 'Redeliver a video webhook',
      description: 'Sends the same body and ID again immediately.',
      query: Type.Object({ organization: ofOrganization }),
      reply: {
        status: 202,
        description: 'The delivery is scheduled to run immediately, with the same body and ID.',
        schema: Type.Object({ data: deliverySchema }),
      },
      errors: ['malformedRequest', 'notFound', 'conflict'],
      handle: async (request) => {
        const id = parseJobId(request.params['jobId'] ?? '')
        const scope = await openVideoScope(memberships, request)
        const job = id === undefined ? null : await jobs.find(scope, id)
        if (job === null) throw new GatewayError('notFound', { message: 'Video job not found.' })
        const due = await lists.redeliver(job.id)
        if (due === null) {
          throw new GatewayError('conflict', { message: 'This job is not finished, or it has no callback_url.' })
        }
        return { status: 202, body: { data: renderDelivery(due) } }
      },
    },
  ]
}

function stateOf(query: Query): (typeof states)[number] | null {
  const text = textOf(query, 'state')
  const state = states.find((each) => each === text) ?? null
  if (text !== null && state === null) throw refuseValue('state', `one of ${states.join(', ')}`)
  return state
}

function beforeOf(query: Query): Uuid | null {
  const before = textOf(query, 'before')
  if (before !== null && !isUuid(before)) throw refuseValue('before', 'a next_cursor from a previous page')
  return before
}

function jobIdOf(query: Query): Uuid | null {
  const text = textOf(query, 'video_id')
  const id = text === null ? null : parseJobId(text)
  if (id === undefined) throw refuseValue('video_id', 'a video job id')
  return id
}

function renderDelivery(listing: WebhookListing) {
  const { id, jobId, url, tries, createdAtMs, dueAtMs, deliveredAtMs, lastStatus, lastError } = listing
  return {
    id,
    video_id: jobId === null ? null : publicJobId(jobId),
    url,
    state: deliveredAtMs !== null ? 'delivered' : dueAtMs === null ? 'given_up' : 'waiting',
    tries,
    created_at: new Date(createdAtMs).toISOString(),
    next_try_at: momentText(dueAtMs),
    delivered_at: momentText(deliveredAtMs),
    last_status: lastStatus,
    last_error: lastError,
  }
}

function momentText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

const wanted = (description: string) => Type.Optional(Type.String({ description }))

const querySchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Number of deliveries per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
  state: wanted('Return only deliveries in this state: `delivered`, `waiting`, or `given_up`.'),
  video_id: wanted('Return only deliveries for this video job.'),
})

const deliverySchema = Type.Object({
  id: Type.String({ description: 'Delivery ID, as sent in the `X-Webhook-Id` header.' }),
  video_id: optionalText('ID of the video job, or null for an alert.'),
  url: Type.String(),
  state: Type.Enum([...states]),
  tries: Type.Integer(),
  created_at: Type.String({ description: 'When the delivery was created, in ISO 8601 format.' }),
  next_try_at: optionalText('When the next attempt is due, in ISO 8601 format. Null if delivered or given up.'),
  delivered_at: optionalText('When the webhook was delivered, in ISO 8601 format, or null.'),
  last_status: optionalCount('HTTP status of the last response from your server.'),
  last_error: optionalText('Why the last attempt failed.'),
})

const listSchema = Type.Object({
  data: Type.Array(deliverySchema),
  next_cursor: optionalText('Cursor to pass as `before` for the next page. Null on the last page.'),
})
