import { Type } from 'typebox'
import { parseSettingsChange } from '#control/end-customers/end-customer-bodies.ts'
import { openCustomersToChange, openCustomersToRead } from '#control/end-customers/open-customers.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CustomerSettings, EndCustomers } from '#ports/end-customers.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'
import { endCustomerScopeSchema, limitFields, renderLimits } from './end-customer-schema.ts'

interface SettingsEndpointDeps {
  readonly endCustomers: Pick<EndCustomers, 'readSettings' | 'changeSettings'>
  readonly memberships: Memberships
}

const markup = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description: 'Markup of customers without their own, in basis points (250 is 2.5 %).',
})
const settings = Type.Object({ ...limitFields, markup_basis_points: markup })
const schema = Type.Object({ data: settings })
const common = { tag: 'Account', paths: ['/v1/customer-settings'], query: endCustomerScopeSchema } as const

/** The default limits and markup of customers. */
export function customerSettingsEndpoints({ endCustomers, memberships }: SettingsEndpointDeps): Endpoint[] {
  return [
    {
      ...common,
      name: 'getCustomerSettings',
      method: 'GET',
      access: 'customers.read',
      summary: 'Get the defaults of your customers',
      reply: { status: 200, description: 'Default limits and markup.', schema },
      errors: ['notFound'],
      handle: async (request) => {
        const account = await openCustomersToRead(memberships, scopeQuestionOf(request))
        return { body: { data: renderCustomerSettings(await endCustomers.readSettings(account)) } }
      },
    },
    {
      ...common,
      name: 'changeCustomerSettings',
      method: 'PATCH',
      access: 'customers.manage',
      summary: 'Update the defaults of your customers',
      description: 'The limits apply to customers that a request creates later. Existing customers keep their limits.',
      body: Type.Partial(settings),
      reply: { status: 200, description: 'The updated defaults.', schema },
      errors: ['notFound'],
      handle: async (request) => {
        const account = await openCustomersToChange(memberships, scopeQuestionOf(request))
        const change = parseSettingsChange(request.body)
        const changed = await endCustomers.changeSettings(account, change, changeAuthorOf(request))
        return { body: { data: renderCustomerSettings(changed) } }
      },
    },
  ]
}

function renderCustomerSettings({ limits, markup: basisPoints }: CustomerSettings): JsonObject {
  return { ...renderLimits(limits), markup_basis_points: basisPoints }
}
