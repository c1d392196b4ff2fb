import { Type } from 'typebox'
import { addDomain, deleteDomain, verifyDomain } from '#control/sign-on/domains.ts'
import { verificationName } from '#domain/sign-on/domain-name.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OrganizationDomain, ResolveTxt, SignOnStore } from '#ports/sign-on.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { domainListSchema, domainReplySchema, newDomainSchema } from './sign-on-schema.ts'

const all = ['/api/orgs/:orgId/sign-on/domains']
const common = { tag: 'Organizations', access: 'signOn.manage' } as const

/** The domains of an organization, whose addresses sign in through its identity provider. */
export function domainEndpoints(deps: { store: SignOnStore; resolveTxt: ResolveTxt }): Endpoint[] {
  return [listEndpoint(deps), addEndpoint(deps), verifyEndpoint(deps), deleteEndpoint(deps)]
}

type Deps = Parameters<typeof domainEndpoints>[0]

function listEndpoint({ store }: Deps): Endpoint {
  return {
    ...common,
    name: 'listSignOnDomains',
    method: 'GET',
    paths: all,
    summary: 'List domains',
    reply: { status: 200, description: 'The domains, oldest first.', schema: domainListSchema },
    handle: async (request) => {
      const domains = await store.listDomains(organizationOf(request).organizationId)
      return { body: { data: domains.map(renderDomain) } }
    },
  }
}

function addEndpoint(deps: Deps): Endpoint {
  return {
    ...common,
    name: 'addSignOnDomain',
    method: 'POST',
    paths: all,
    summary: 'Add a domain',
    description: 'The domain has no effect until it is verified.',
    body: newDomainSchema,
    reply: { status: 201, description: 'The domain and the TXT record that verifies it.', schema: domainReplySchema },
    errors: ['conflict'],
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const domain = String(request.body['domain'])
      const { nowMs } = request
      const added = await addDomain(deps, { organizationId, domain, stamp: auditStampOf(request), nowMs })
      return { body: { data: renderDomain(added) } }
    },
  }
}

function verifyEndpoint(deps: Deps): Endpoint {
  return {
    ...common,
    name: 'verifySignOnDomain',
    method: 'POST',
    paths: [`${all[0]}/:domainId/verify`],
    summary: 'Verify a domain',
    description: 'Looks for the TXT record. A domain can be verified by one organization.',
    reply: { status: 200, description: 'The verified domain.', schema: domainReplySchema },
    errors: ['notFound', 'conflict'],
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const id = request.params['domainId'] ?? ''
      const verified = await verifyDomain(deps, { organizationId, id, stamp: auditStampOf(request) })
      return { body: { data: renderDomain(verified) } }
    },
  }
}

function deleteEndpoint(deps: Deps): Endpoint {
  return {
    ...common,
    name: 'deleteSignOnDomain',
    method: 'DELETE',
    paths: [`${all[0]}/:domainId`],
    summary: 'Delete a domain',
    description: 'Its addresses can no longer sign in through the organization. Members stay.',
    reply: { status: 204, description: 'The domain was deleted.', schema: Type.Null() },
    errors: ['notFound', 'staleSession'],
    handle: async (request) => {
      requireFreshSession(request)
      const { organizationId } = organizationOf(request)
      await deleteDomain(deps, { organizationId, id: request.params['domainId'] ?? '', stamp: auditStampOf(request) })
      return { status: 204 }
    },
  }
}

function renderDomain({ id, domain, token, verifiedAtMs, createdAtMs }: OrganizationDomain): JsonObject {
  return {
    id,
    domain,
    record: { name: verificationName(domain), value: token },
    verifiedAt: verifiedAtMs === null ? null : new Date(verifiedAtMs).toISOString(),
    createdAt: new Date(createdAtMs).toISOString(),
  }
}
