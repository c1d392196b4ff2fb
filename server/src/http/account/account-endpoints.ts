import { findGeneration } from '#control/generations/find-generation.ts'
import { describeKey, type KeyDescription } from '#control/keys/read-keys.ts'
import { nameOwners } from '#control/usage/name-owners.ts'
import { openGenerationScope, openWallet, type ScopeQuestion } from '#control/usage/usage-scope.ts'
import type { Principal } from '#domain/access/principal.ts'
import { parseGenerationId } from '#domain/ledger/generation-id.ts'
import { parseAnyRequestId } from '#domain/ledger/request-id.ts'
import { type RateLimits, rateRules } from '#domain/limits/rate.ts'
import { resetNameOf } from '#domain/limits/spend-period.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { creditsPageFor } from '#domain/payments/credits-page.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AccountReads, GenerationArchive } from '#ports/account-reads.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { UsageSubjects } from '#ports/usage.ts'
import { type Endpoint, type EndpointRequest, principalOf } from '../endpoint.ts'
import { renderOwner } from '../owner-schema.ts'
import { scopeQuestionOf } from '../request-values.ts'
import {
  authKeySchema,
  creditsSchema,
  generationQuerySchema,
  generationSchema,
  keyInfoSchema,
  organizationQuerySchema,
} from './account-schema.ts'
import { renderGeneration } from './render-generation.ts'

interface AccountEndpointDeps {
  readonly account: AccountReads
  readonly generations: GenerationArchive
  readonly memberships: Memberships
  readonly subjects: UsageSubjects
  /** Requests per minute, if the operator changed them. */
  readonly limits?: RateLimits
  /** The URL for buying credit, or null if buying is not configured. */
  readonly creditsUrl: string | null
}

const common = { method: 'GET', tag: 'Account' } as const

/** Endpoints for a key to read its own data, and for keys and signed-in people to read their wallets and requests. */
export function accountEndpoints(deps: AccountEndpointDeps): Endpoint[] {
  const { account, limits } = deps
  const key: Endpoint = {
    ...common,
    name: 'getKey',
    access: 'key.read',
    paths: ['/v1/key'],
    summary: 'Get the current API key',
    description: 'Returns the spend limit, the usage per period and the rate limit of the key.',
    reply: {
      status: 200,
      description: 'The API key of this request, with its spend limit, usage per period, and rate limit.',
      schema: keyInfoSchema,
    },
    handle: async (request) => {
      const principal = principalOf(request)
      return {
        body: { data: renderKeyInfo(principal, await describeKey({ account, limits }, principal, request.nowMs)) },
      }
    },
  }
  const authKey: Endpoint = {
    ...common,
    name: 'getAuthKey',
    access: 'key.read',
    paths: ['/v1/auth/key'],
    summary: 'Get the current API key (short form)',
    reply: { status: 200, description: 'The API key of this request.', schema: authKeySchema },
    handle: async (request) => {
      const principal = principalOf(request)
      return {
        body: { data: renderAuthKey(principal, await describeKey({ account, limits }, principal, request.nowMs)) },
      }
    },
  }
  const generation: Endpoint = {
    ...common,
    name: 'getGeneration',
    access: 'receipt.read',
    paths: ['/v1/generation'],
    summary: 'Get a finished request',
    description: 'Returns its record and receipt.',
    query: generationQuerySchema,
    reply: { status: 200, description: 'The request and its receipt.', schema: generationSchema },
    errors: ['malformedRequest', 'missingRequiredField', 'notFound'],
    handle: async (request) => ({ body: { data: await readGeneration(deps, request) } }),
  }
  return [key, authKey, creditsEndpoint(deps), generation]
}

function creditsEndpoint(deps: AccountEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'getCredits',
    access: 'account.read',
    query: organizationQuerySchema,
    errors: ['malformedRequest', 'notFound', 'forbidden'],
    paths: ['/v1/credits'],
    summary: 'Get total credits and usage',
    reply: {
      status: 200,
      description: 'Total amounts credited and charged to the paying wallet.',
      schema: creditsSchema,
    },
    handle: async (request) => {
      const question = scopeQuestionOf(request)
      const walletId = await openWallet(deps.memberships, question)
      const { credited, charged, inCustomerBalances } = await deps.account.readWalletTotals(walletId)
      const aside = inCustomerBalances === 0n ? {} : { in_customer_balances: usdJson(inCustomerBalances) }
      const where = deps.creditsUrl === null ? {} : { top_up_url: creditsPageFor(deps.creditsUrl, payerOf(question)) }
      return { body: { data: { total_credits: usdJson(credited), total_usage: usdJson(charged), ...aside, ...where } } }
    },
  }
}

/** The organization whose wallet is read, or null for a person's own. */
function payerOf({ client, organization }: ScopeQuestion): Uuid | null {
  return client.kind === 'key' ? client.principal.organizationId : organization
}

/** A request that the key may not list gets the same response as one that does not exist. */
async function readGeneration(deps: AccountEndpointDeps, request: EndpointRequest): Promise<JsonObject> {
  const { generations, memberships, subjects } = deps
  const asked = request.query['id'] ?? ''
  if (asked === '') throw new GatewayError('missingRequiredField', { message: 'The query parameter id is required.' })
  const id = asked.startsWith('req_') ? parseAnyRequestId(asked) : parseGenerationId(asked)
  const question = scopeQuestionOf(request)
  const token = question.client.kind === 'key' ? question.client.principal.customerToken : null
  const opened = await openGenerationScope(memberships, question)
  const scope = token === null ? opened : { ...opened, endCustomerId: token.endCustomerId }
  const found = id === undefined ? null : await findGeneration(generations, scope, id)
  if (found === null) throw new GatewayError('notFound', { message: 'Generation not found.' })
  const { record } = found
  // Customers hold tokens, and must not learn about the keys and members of the wallet's owner.
  if (token !== null) return renderGeneration(found)
  const ownerOf = await nameOwners(subjects, scope.walletId, [record])
  const user = record.endUser === undefined ? {} : { user: record.endUser }
  return { ...renderGeneration(found), ...user, api_key_id: record.keyId, ...renderOwner(ownerOf(record)) }
}

/** The key of the request, with its usage. */
function renderKeyInfo(principal: Principal, description: KeyDescription): JsonObject {
  const { use } = description
  const period = principal.keyCap?.period ?? null
  return {
    ...renderAuthKey(principal, description),
    limit_reset: period === null ? null : resetNameOf(period),
    expires_at: principal.expiresAtMs === null ? null : new Date(principal.expiresAtMs).toISOString(),
    is_management_key: principal.keyType === 'management',
    usage_daily: usdJson(use.day.spent),
    usage_weekly: usdJson(use.week.spent),
    usage_monthly: usdJson(use.month.spent),
    requests: use.total.requests,
    requests_daily: use.day.requests,
    requests_weekly: use.week.requests,
    requests_monthly: use.month.requests,
  }
}

/** The shorter response of the legacy path. */
function renderAuthKey(principal: Principal, description: KeyDescription): JsonObject {
  return {
    label: principal.keyName,
    usage: usdJson(description.use.total.spent),
    limit: principal.keyCap === null ? null : usdJson(principal.keyCap.limit),
    limit_remaining: usdJson(description.remaining),
    is_free_tier: description.isFreeTier,
    is_provisioning_key: principal.keyType === 'management',
    rate_limit: {
      requests: description.requestsPerMinute,
      interval: `${rateRules.windowMs / 1000}s`,
      note: 'Counted per user and paying wallet across all keys. Account reads have a separate limit.',
    },
  }
}
