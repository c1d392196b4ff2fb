import { healthOf, renderHealth } from '#control/operators/account-health.ts'
import { addProviderAccount } from '#control/operators/add-provider-account.ts'
import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { replaceOverrides } from '#control/operators/edit-overrides.ts'
import { renderOverrides } from '#control/operators/render-overrides.ts'
import { replaceProviderKey } from '#control/operators/replace-provider-key.ts'
import { parseApi, type VendorTerms } from '#control/operators/vendor-terms.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { formatDiscount, parseDiscount } from '#domain/money/discount.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { rawJsonNumber } from '#lib/raw-json.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { Operators, ProviderAccountListing, ProviderAccountTerms } from '#ports/operators.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import {
  newProviderSchema,
  providerChangeSchema,
  providerKeySchema,
  providerListSchema,
  providerSchema,
} from './operator-schema.ts'

interface ProviderEndpointDeps {
  readonly operators: Operators
  readonly sealingKey: SealingKey
  readonly vendors: readonly VendorTerms[]
}

const common = { tag: 'Operators', access: 'operators.providers' } as const
const onePath = ['/api/admin/providers/:accountName']

/** The platform's provider accounts. No response contains any part of a credential. */
export function providerEndpoints(deps: ProviderEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), addEndpoint(deps), changeEndpoint(deps), keyEndpoint(deps)]
}

function listEndpoint({ operators }: ProviderEndpointDeps): Endpoint {
  return {
    ...common,
    access: 'operators.providers.read',
    name: 'listProviders',
    method: 'GET',
    paths: ['/api/admin/providers'],
    summary: 'List provider accounts',
    reply: { status: 200, description: 'The provider accounts, sorted by name.', schema: providerListSchema },
    handle: async () => {
      const [accounts, circuits] = await Promise.all([operators.listAccounts(), operators.listCircuits()])
      const data = accounts.map((account) => ({
        ...renderProvider(account),
        health: renderHealth(healthOf(account, circuits)),
      }))
      return { body: { data } }
    },
  }
}

function addEndpoint(deps: ProviderEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'addProvider',
    method: 'POST',
    paths: ['/api/admin/providers'],
    summary: 'Create a provider account',
    body: newProviderSchema,
    reply: { status: 201, description: 'The new provider account.', schema: providerSchema },
    errors: ['missingRequiredField'],
    handle: async (request) => {
      const reader = createFieldReader(request.body)
      const input = {
        vendor: reader.requiredText('vendor'),
        name: reader.text('name'),
        baseUrl: reader.text('baseUrl'),
        credential: reader.text('key'),
        ...readTerms(request.body),
      }
      const { name } = await addProviderAccount(deps, input, changeAuthorOf(request))
      const account = (await deps.operators.listAccounts()).find((listed) => listed.name === name)
      return { body: account === undefined ? { name } : renderProvider(account) }
    },
  }
}

function changeEndpoint(deps: ProviderEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'changeProvider',
    method: 'PATCH',
    paths: onePath,
    summary: 'Update a provider account',
    body: providerChangeSchema,
    reply: { status: 200, description: 'The updated provider account.', schema: providerSchema },
    errors: ['notFound'],
    handle: async (request) => {
      const reader = createFieldReader(request.body)
      const enabled = reader.flag('enabled')
      const { overrides } = request.body
      const edit = {
        name: referenceOf(request, 'accountName'),
        ...(enabled === undefined ? {} : { enabled }),
        ...readTerms(request.body),
        ...(overrides === undefined ? {} : { overridesOf: replaceOverrides(deps.vendors, overrides) }),
      }
      return { body: renderProvider(await changeProviderAccount(deps, edit, changeAuthorOf(request))) }
    },
  }
}

function keyEndpoint(deps: ProviderEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'replaceProviderKey',
    method: 'PUT',
    paths: ['/api/admin/providers/:accountName/key'],
    summary: 'Replace the key of a provider account',
    body: providerKeySchema,
    reply: { status: 204, description: 'The key was replaced. It takes effect within one second.', schema: {} },
    errors: ['missingRequiredField', 'notFound'],
    handle: async (request) => {
      const credential = createFieldReader(request.body).requiredText('key')
      const name = referenceOf(request, 'accountName')
      await replaceProviderKey(deps, { name, credential }, changeAuthorOf(request))
      return {}
    },
  }
}

function readTerms(body: JsonObject): Partial<ProviderAccountTerms> {
  const reader = createFieldReader(body)
  const [weight, keepsPrompts, variant, api] = [
    reader.whole('weight'),
    reader.nullableFlag('keepsPrompts'),
    reader.text('variant'),
    reader.nullableText('api'),
  ]
  const discountPpm = readDiscount(body)
  return {
    ...(weight === undefined ? {} : { weight }),
    ...(keepsPrompts === undefined ? {} : { keepsPrompts }),
    ...(variant === undefined ? {} : { variant }),
    ...(api === undefined ? {} : { api: api === null ? null : parseApi(api) }),
    ...(discountPpm === undefined ? {} : { discountPpm }),
  }
}

/** A percentage as its decimal digits say, not as a binary fraction. */
function readDiscount({ discountPercent: value }: JsonObject): number | undefined {
  if (value === undefined) return undefined
  const discount = typeof value === 'number' ? parseDiscount(String(value)) : undefined
  if (discount === undefined)
    throw malformed('discountPercent must be a number from 0 to 100 with at most four decimals.')
  return discount
}

function renderProvider({ hasCredential, ...account }: ProviderAccountListing): JsonObject {
  const { id, name, vendor, baseUrl, enabled, weight, keepsPrompts, variant, api, discountPpm } = account
  const discountPercent = rawJsonNumber(formatDiscount(discountPpm))
  const overrides = renderOverrides(account.overrides)
  const terms = { weight, keepsPrompts, variant, api, discountPercent }
  return { id, name, vendor, baseUrl, hasKey: hasCredential, enabled, ...terms, overrides }
}
