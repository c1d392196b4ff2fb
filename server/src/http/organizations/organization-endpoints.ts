import type { FindUser } from '#control/organizations/add-member.ts'
import { changeOrganization } from '#control/organizations/change-organization.ts'
import type { OrganizationDeps } from '#control/organizations/change-within.ts'
import { parseOrganizationChange } from '#control/organizations/organization-bodies.ts'
import { listOwnOrganizations } from '#control/organizations/read-organizations.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Organizations } from '#ports/organizations.ts'
import { auditStampOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { createOrganizationEndpoint } from './create-organization-endpoint.ts'
import { memberEndpoints } from './member-endpoints.ts'
import { organizationChangeSchema, organizationListSchema, organizationSchema } from './organization-schema.ts'
import { renderOrganization, renderOrganizationEntry } from './render-organization.ts'
import { teamEndpoints } from './team-endpoints.ts'

interface OrganizationEndpointDeps extends OrganizationDeps {
  readonly findUser: FindUser
  /** How many organizations each person may create. */
  readonly perPersonMax: number
}

/** Organizations with their teams and members. */
export function organizationEndpoints(deps: OrganizationEndpointDeps): Endpoint[] {
  const { organizations } = deps
  const list: Endpoint = {
    name: 'listOrganizations',
    method: 'GET',
    paths: ['/v1/orgs'],
    tag: 'Organizations',
    summary: 'List organizations',
    access: 'organizations.list',
    reply: {
      status: 200,
      description: 'The organizations that the key or session can access, sorted by name.',
      schema: organizationListSchema,
    },
    handle: async (request) => {
      const data = (await listOwnOrganizations(organizations, clientOf(request))).map(renderOrganizationEntry)
      return { body: { data, total_count: data.length } }
    },
  }
  const read: Endpoint = {
    name: 'getOrganization',
    method: 'GET',
    paths: ['/v1/orgs/:orgId'],
    tag: 'Organizations',
    summary: 'Get an organization',
    access: 'organization.read',
    reply: {
      status: 200,
      description: 'The organization with its plan, seats, credit and settings.',
      schema: organizationSchema,
    },
    handle: async (request) => ({ body: { data: await readOpened(organizations, request) } }),
  }
  const change: Endpoint = {
    name: 'changeOrganization',
    method: 'PATCH',
    paths: ['/v1/orgs/:orgId'],
    tag: 'Organizations',
    summary: 'Update an organization',
    access: 'organization.change',
    body: organizationChangeSchema,
    reply: { status: 200, description: 'The updated organization.', schema: organizationSchema },
    errors: ['staleSession'],
    handle: async (request) => {
      const change = parseOrganizationChange(request.body)
      if (change.defaultRole !== undefined) requireFreshSession(request)
      await changeOrganization(deps, { change, stamp: auditStampOf(request) })
      return { body: { data: await readOpened(organizations, request) } }
    },
  }
  return [list, createOrganizationEndpoint(deps), read, change, ...teamEndpoints(deps), ...memberEndpoints(deps)]
}

/** The member may have been removed since the access check. */
async function readOpened(organizations: Organizations, request: EndpointRequest): Promise<JsonObject> {
  const { organizationId, membership } = organizationOf(request)
  const [[organization], spend] = await Promise.all([
    organizations.listJoined({ userId: membership.userId, organizationId }),
    organizations.readSpend({ organizationId, nowMs: request.nowMs }),
  ])
  if (organization === undefined) throw new GatewayError('notFound', { message: 'Organization not found.' })
  return renderOrganization(organization, spend)
}
