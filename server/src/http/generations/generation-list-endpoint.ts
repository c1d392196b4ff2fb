import { Type } from 'typebox'
import { type ListedRequest, listRequests, type RequestListQuery } from '#control/generations/list-requests.ts'
import { nameOwners } from '#control/usage/name-owners.ts'
import { findLabels, narrowToMember, openGenerationScope } from '#control/usage/usage-scope.ts'
import { externalIdRule, isExternalId } from '#domain/end-customers/end-customer.ts'
import { endUserCharsMax } from '#domain/ledger/end-user.ts'
import { firstTokenMsOf } from '#domain/ledger/first-token-ms-of.ts'
import { parseGenerationId, publicGenerationId } from '#domain/ledger/generation-id.ts'
import { refundReasons } from '#domain/ledger/generation-record.ts'
import { parseAnyRequestId } from '#domain/ledger/request-id.ts'
import { tokenTotals } from '#domain/money/charge.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { GenerationFilter, GenerationLists, ListedGeneration } from '#ports/account-reads.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { RefusalLists } from '#ports/refusals.ts'
import type { UsageSubjects } from '#ports/usage.ts'
import type { Endpoint } from '../endpoint.ts'
import { ownerFields, renderOwner } from '../owner-schema.ts'
import { idOf, limitOf, momentOf, type Query, refuseValue, scopeQuestionOf, textOf } from '../request-values.ts'
import { tagOf } from '../usage/parse-usage-query.ts'
import { refusalEntrySchema, renderRefusal } from './refusal-entry.ts'
import { ofOrganization, optionalCount, optionalText, tagsSchema, usd } from '../schema-types.ts'

interface GenerationListDeps {
  readonly lists: GenerationLists
  readonly refusals: Pick<RefusalLists, 'list'>
  readonly memberships: Memberships
  readonly subjects: UsageSubjects
}

/** Finished and refused requests, paginated. */
export function generationListEndpoint(deps: GenerationListDeps): Endpoint {
  return {
    name: 'listGenerations',
    method: 'GET',
    paths: ['/v1/generations'],
    tag: 'Account',
    summary: 'List requests',
    description:
      'Lists finished requests. With `status=refused` it lists requests that were refused before a provider was called, and with `status=any` both.',
    access: 'account.read',
    query: generationListQuerySchema,
    reply: { status: 200, description: 'A page of requests, newest first.', schema: generationListSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const asked = parseGenerationListQuery(request.query)
      const opened = await openGenerationScope(deps.memberships, scopeQuestionOf(request))
      const scope = await narrowToMember(deps.subjects, opened, idOf(request.query, 'member_id', 'a member id'))
      const labels = await findLabels(deps.subjects, opened.walletId, labelsOf(request.query))
      if (scope === null || labels === null) return { body: { data: [], next_cursor: null } }
      const filter = { ...asked.filter, ...labels }
      const { requests, next } = await listRequests(deps, { ...asked, filter, scope, nowMs: request.nowMs })
      const owned = requests.map(({ record }) => record)
      const ownerOf = await nameOwners(deps.subjects, scope.walletId, owned)
      return {
        body: {
          data: requests.map((listed) => ({ ...renderListed(listed), ...renderOwner(ownerOf(listed.record)) })),
          next_cursor: next === null ? null : publicGenerationId(next),
        },
      }
    },
  }
}

interface AskedList extends Omit<RequestListQuery, 'scope' | 'nowMs' | 'filter'> {
  readonly filter: Omit<GenerationFilter, 'endCustomerId' | 'runId' | 'tagId'>
}

function parseGenerationListQuery(query: Query): AskedList {
  const status = statusOf(query)
  return {
    outcome: status === 'refused' || status === 'any' ? status : 'finished',
    id: requestIdOf(query),
    filter: {
      model: textOf(query, 'model'),
      provider: textOf(query, 'provider'),
      app: textOf(query, 'app'),
      endUser: textOf(query, 'user', endUserCharsMax),
      keyId: idOf(query, 'api_key_id', 'a key id'),
      teamId: idOf(query, 'team_id', 'a team id'),
      status: status === 'refused' || status === 'any' ? null : status,
      fromMs: momentOf(query, 'from'),
      toMs: momentOf(query, 'to'),
    },
    before: beforeOf(query),
    limit: limitOf(query, { fallback: 20, max: 100 }),
  }
}

function labelsOf(query: Query): Parameters<typeof findLabels>[2] {
  return { customer: externalIdOf(query, 'customer'), run: externalIdOf(query, 'run'), tag: tagOf(query) }
}

function externalIdOf(query: Query, name: 'customer' | 'run'): string | null {
  const text = textOf(query, name)
  if (text !== null && !isExternalId(text)) throw refuseValue(name, externalIdRule)
  return text
}

const statuses = ['charged', 'refunded', 'failed', 'refused', 'any', ...refundReasons] as const

function statusOf(query: Query): GenerationFilter['status'] | 'refused' | 'any' {
  const text = textOf(query, 'status')
  const status = statuses.find((one) => one === text)
  if (text !== null && status === undefined) throw refuseValue('status', `one of ${statuses.join(', ')}`)
  return status ?? null
}

function requestIdOf(query: Query): Uuid | null {
  const text = textOf(query, 'id')
  if (text === null) return null
  const id = parseAnyRequestId(text)
  if (id === undefined) throw refuseValue('id', 'a request id or a generation id')
  return id
}

function beforeOf(query: Query): Uuid | null {
  const text = textOf(query, 'before')
  if (text === null) return null
  const id = parseGenerationId(text)
  if (id === undefined) throw refuseValue('before', 'a next_cursor from a previous page')
  return id
}

function renderListed(listed: ListedRequest): JsonObject {
  return listed.kind === 'refused' ? renderRefusal(listed.record) : renderListedGeneration(listed.record)
}

/** A short form of a finished request, with the field names of its record. */
export function renderListedGeneration(record: ListedGeneration): JsonObject {
  const tokens = tokenTotals(record.usage)
  const cost = usdJson(record.cost)
  return {
    id: publicGenerationId(record.id),
    model: record.model,
    provider: record.provider,
    created_at: new Date(record.startedAtMs).toISOString(),
    app_name: record.appName,
    ...(record.customer === undefined ? {} : { customer: record.customer }),
    ...(record.customerPrice === undefined ? {} : { customer_price: usdJson(record.customerPrice) }),
    ...(record.run === undefined ? {} : { run: record.run }),
    ...(record.user === undefined ? {} : { user: record.user }),
    ...(record.tags === undefined ? {} : { tags: record.tags }),
    api_key_id: record.keyId,
    endpoint: record.endpoint,
    finish_reason: record.finishReason,
    status: record.upstreamStatus,
    streamed: record.streamed,
    cancelled: record.cancelled,
    is_byok: record.isByok,
    is_failover: record.isFailover,
    attempt_count: record.attemptCount,
    duration_ms: record.durationMs,
    first_token_ms: firstTokenMsOf(record),
    usage: {
      prompt_tokens: tokens.prompt,
      completion_tokens: tokens.completion,
      total_tokens: tokens.total,
      cost,
    },
    total_cost: cost,
    cache_discount: usdJson(record.cacheDiscount),
    refund_reason: record.refundReason,
  }
}

const wanted = (description: string) => Type.Optional(Type.String({ description }))

const generationListQuerySchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Number of requests per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
  model: wanted('Return only requests served by this model.'),
  app: wanted('Return only requests from this application, as named in the `X-Title` header.'),
  api_key_id: wanted('Return only requests made with this API key.'),
  member_id: wanted('Return only requests of this member of the organization.'),
  team_id: wanted('Return only requests that count for this team.'),
  customer: wanted('Return only requests of this customer, by your own id of the customer.'),
  run: wanted('Return only requests of this run, by your own id of the run, without its child runs.'),
  user: wanted('Return only requests of this user: `user` in the body, or `metadata.user_id` of Messages.'),
  tag: wanted('Return only requests with this tag, such as `team=search`.'),
  provider: wanted('Return only requests served by this provider.'),
  status: wanted(
    'Return only requests with this status: `charged`, `refunded` for requests that cost nothing, `failed` for those that cost nothing because the gateway or a provider failed, or a `refund_reason`. `refused` returns requests that were refused before a provider was called, and `any` these and all finished ones.',
  ),
  id: wanted('Return only the request with this request ID or generation ID.'),
  from: wanted('Start of the range (inclusive), in ISO 8601 format.'),
  to: wanted('End of the range (exclusive), in ISO 8601 format.'),
})

const generationEntrySchema = Type.Object(
  {
    id: Type.String(),
    model: Type.String({ description: 'Model that served the request.' }),
    provider: optionalText('Provider that served the request.'),
    created_at: Type.String({ description: 'When the request started, in ISO 8601 format.' }),
    app_name: optionalText('Application name from the `X-Title` header.'),
    customer: Type.Optional(
      Type.String({ description: 'Your own id of the customer. Absent if the request named none.' }),
    ),
    customer_price: Type.Optional(
      usd('Cost with your markup for this customer. Absent if the request named no customer'),
    ),
    run: Type.Optional(Type.String({ description: 'Your own id of the run. Absent if the request named none.' })),
    user: Type.Optional(
      Type.String({ description: 'Your own ID of the user, from the body. Absent if the body named none.' }),
    ),
    tags: tagsSchema,
    api_key_id: Type.String({ description: 'ID of the API key that made the request.' }),
    ...ownerFields,
    endpoint: Type.String({ description: 'Endpoint that was called, such as `chat`, `messages`, or `images`.' }),
    finish_reason: optionalText('Finish reason, as in the response.'),
    status: optionalCount('HTTP status returned by the upstream.'),
    streamed: Type.Boolean(),
    cancelled: Type.Boolean(),
    is_byok: Type.Boolean(),
    is_failover: Type.Boolean({
      description: 'Whether an upstream other than the first one tried served the request.',
    }),
    attempt_count: Type.Integer({ description: 'Number of upstream attempts.' }),
    duration_ms: Type.Integer(),
    first_token_ms: optionalCount('Time to first token in milliseconds, or null if no token arrived.'),
    usage: Type.Object({
      prompt_tokens: Type.Integer(),
      completion_tokens: Type.Integer(),
      total_tokens: Type.Integer(),
      cost: usd('Amount charged'),
    }),
    total_cost: usd('Amount charged'),
    cache_discount: usd('Amount saved by cached tokens'),
    refund_reason: optionalText('Why the request was not charged, or null if it was charged.'),
  },
  { $id: 'GenerationEntry' },
)

const generationListSchema = Type.Object({
  data: Type.Array(Type.Union([generationEntrySchema, refusalEntrySchema])),
  next_cursor: optionalText(
    'Cursor to pass as `before` for the next page. Null on the last page. A page with a cursor can have fewer requests than `limit`, or none.',
  ),
})
