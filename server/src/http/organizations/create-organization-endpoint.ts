import { foundOrganization } from '#control/organizations/create-organization.ts'
import { readNameField } from '#control/read-fields.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { Organizations } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { newOrganizationSchema, organizationEntrySchema } from './organization-schema.ts'
import { renderOrganizationEntry } from './render-organization.ts'

interface CreateOrganizationDeps {
  readonly organizations: Organizations
  /** How many organizations each person may create. */
  readonly perPersonMax: number
}

/** Self-service, where the operator allows it. */
export function createOrganizationEndpoint({ organizations, perPersonMax }: CreateOrganizationDeps): Endpoint {
  return {
    name: 'createOrganization',
    method: 'POST',
    paths: ['/v1/orgs'],
    tag: 'Organizations',
    summary: 'Create an organization',
    description:
      'The signed-in user becomes its administrator. It is prepaid and starts without credit. The operator sets how many organizations a user can create; by default none.',
    access: 'organizations.create',
    body: newOrganizationSchema,
    reply: { status: 201, description: 'The new organization.', schema: organizationEntrySchema },
    errors: ['missingRequiredField', 'forbidden', 'conflict'],
    handle: async (request) => {
      const client = clientOf(request)
      assert(client.kind === 'session', 'only a session creates organizations')
      const name = readNameField(request.body, 'name', 100)
      if (name === undefined) {
        throw new GatewayError('missingRequiredField', { message: 'An organization needs a name.' })
      }
      const { userId } = client.person
      const deps = { organizations, max: perPersonMax }
      const { id } = await foundOrganization(deps, { name, userId }, changeAuthorOf(request))
      const [made] = await organizations.listJoined({ userId, organizationId: id })
      assert(made !== undefined, 'the founder is a member')
      return { body: { data: renderOrganizationEntry(made) } }
    },
  }
}
