import { findGeneration } from '#control/generations/find-generation.ts'
import { describeKey } from '#control/keys/read-keys.ts'
import { openGenerationScope } from '#control/usage/usage-scope.ts'
import { parseGenerationId } from '#domain/ledger/generation-id.ts'
import type { RateLimits } from '#domain/limits/rate.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { AccountReads, GenerationArchive } from '#ports/account-reads.ts'
import type { Memberships } from '#ports/organizations.ts'
import { type Endpoint, type EndpointRequest, principalOf } from '../endpoint.ts'
import {
  authKeySchema,
  creditsSchema,
  generationQuerySchema,
  generationSchema,
  keyInfoSchema,
} from './account-schema.ts'
import { renderGeneration } from './render-generation.ts'
import { renderAuthKey, renderKeyInfo } from './render-key-info.ts'

export interface AccountEndpointNeeds {
  readonly account: AccountReads
  readonly generations: GenerationArchive
  readonly memberships: Memberships
  /** Requests per minute, where the operator has set others. */
  readonly limits?: RateLimits
}

/** What a key may read about itself and the wallet that pays for it; standard and management keys alike. */
export function accountEndpoints(needs: AccountEndpointNeeds): Endpoint[] {
  const { account, limits } = needs
  const common = { method: 'GET', tag: 'Account', access: 'account.read' } as const
  const key: Endpoint = {
    ...common,
    name: 'getKey',
    paths: ['/v1/key'],
    summary: 'Describe the calling key: its cap, its use per period and its rate',
    reply: { status: 200, description: 'The key.', schema: keyInfoSchema },
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
    paths: ['/v1/auth/key'],
    summary: 'Describe the calling key, in short',
    reply: { status: 200, description: 'The key.', schema: authKeySchema },
    handle: async (request) => {
      const principal = principalOf(request)
      return {
        body: { data: renderAuthKey(principal, await describeKey({ account, limits }, principal, request.nowMs)) },
      }
    },
  }
  const credits: Endpoint = {
    ...common,
    name: 'getCredits',
    paths: ['/v1/credits'],
    summary: 'Read what was credited and charged to the paying wallet',
    reply: { status: 200, description: 'The totals.', schema: creditsSchema },
    handle: async (request) => {
      const { credited, charged } = await account.readWalletTotals(principalOf(request).walletId)
      return { body: { data: { total_credits: usdJson(credited), total_usage: usdJson(charged) } } }
    },
  }
  const generation: Endpoint = {
    ...common,
    name: 'getGeneration',
    paths: ['/v1/generation'],
    summary: 'Read the record and receipt of a finished request',
    query: generationQuerySchema,
    reply: { status: 200, description: 'The record.', schema: generationSchema },
    errors: ['missingRequiredField', 'notFound'],
    handle: async (request) => ({ body: { data: renderGeneration(await readGeneration(needs, request)) } }),
  }
  return [key, authKey, credits, generation]
}

/** A request that the key could not list is answered exactly as one that never was. */
async function readGeneration({ generations, memberships }: AccountEndpointNeeds, request: EndpointRequest) {
  const asked = request.query['id'] ?? ''
  if (asked === '') throw new GatewayError('missingRequiredField', { message: 'The query parameter id is required.' })
  const id = parseGenerationId(asked)
  const scope = await openGenerationScope(memberships, principalOf(request))
  const found = id === undefined ? null : await findGeneration(generations, scope, id)
  if (found === null) throw new GatewayError('notFound', { message: 'There is no such generation.' })
  return found
}
