import type { ProvisioningDeps } from '#control/provisioning/change-provisioned.ts'
import {
  changeScimGroup,
  createScimGroup,
  deleteScimGroup,
  missingGroup,
} from '#control/provisioning/provision-group.ts'
import { changeScimUser, createScimUser, deleteScimUser, missingUser } from '#control/provisioning/provision-user.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { patchProfile } from '#domain/provisioning/patch-profile.ts'
import { readPatch } from '#domain/provisioning/read-patch.ts'
import { readGroupPatch, readScimGroup } from '#domain/provisioning/scim-group.ts'
import { readScimUser } from '#domain/provisioning/scim-profile.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import { project, renderGroup, renderList, renderUser } from './scim-bodies.ts'
import { listOf, oneOf, resourceTypes, schemas, serviceProviderConfig } from './scim-discovery.ts'
import { readListQuery, readWanted } from './scim-query.ts'

/** A request of a directory, after its token was checked. */
export interface ScimRequest {
  readonly organizationId: Uuid
  readonly stamp: AuditStamp
  readonly id: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: JsonObject
  readonly baseUrl: string
  readonly nowMs: number
}

interface ScimReply {
  readonly status: 200 | 201 | 204
  readonly body?: JsonObject
}

export interface ScimOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly handle: (request: ScimRequest) => Promise<ScimReply>
}

/** Everything that a directory can ask for, below the base URL. */
export function scimOperations(deps: ProvisioningDeps): ScimOperation[] {
  return [...discovery, ...userOperations(deps), ...groupOperations(deps)]
}

const discovery: readonly ScimOperation[] = [
  read('/ServiceProviderConfig', async ({ baseUrl }) => serviceProviderConfig(baseUrl)),
  read('/ResourceTypes', async ({ baseUrl }) => listOf(resourceTypes(baseUrl))),
  read('/ResourceTypes/:id', async ({ baseUrl, id }) => oneOf(resourceTypes(baseUrl), id)),
  read('/Schemas', async ({ baseUrl }) => listOf(schemas(baseUrl))),
  read('/Schemas/:id', async ({ baseUrl, id }) => oneOf(schemas(baseUrl), id)),
]

function userOperations(deps: ProvisioningDeps): ScimOperation[] {
  const { provisioning } = deps
  const change = async (request: ScimRequest, decide: Parameters<typeof changeScimUser>[1]['decide']) => {
    const memberId = idOf(request, missingUser)
    const user = await changeScimUser(deps, { memberId, decide, stamp: request.stamp })
    return reply(200, project(renderUser(user, request.baseUrl), readWanted(request.query)))
  }
  return [
    read('/Users', async ({ organizationId, query, baseUrl }) => {
      const { filter, startIndex, count } = readListQuery(query)
      const found = await provisioning.listUsers({ organizationId, filter, offset: startIndex - 1, limit: count })
      const isWanted = readWanted(query)
      const entries = found.entries.map((user) => project(renderUser(user, baseUrl), isWanted))
      return renderList({ entries, total: found.total }, startIndex)
    }),
    read('/Users/:id', async (request) => {
      const memberId = idOf(request, missingUser)
      const user = await provisioning.findUser({ organizationId: request.organizationId, memberId })
      if (user === null) throw missingUser()
      return project(renderUser(user, request.baseUrl), readWanted(request.query))
    }),
    {
      method: 'POST',
      path: '/Users',
      handle: async ({ body, stamp, nowMs, baseUrl }) => {
        const user = await createScimUser(deps, { profile: readScimUser(body), stamp }, nowMs)
        return reply(201, renderUser(user, baseUrl))
      },
    },
    {
      method: 'PUT',
      path: '/Users/:id',
      handle: (request) => {
        const profile = readScimUser(request.body)
        return change(request, () => profile)
      },
    },
    {
      method: 'PATCH',
      path: '/Users/:id',
      handle: (request) => {
        const operations = readPatch(request.body)
        return change(request, (user) => patchProfile(user, operations))
      },
    },
    {
      method: 'DELETE',
      path: '/Users/:id',
      handle: async (request) => {
        await deleteScimUser(deps, { memberId: idOf(request, missingUser), stamp: request.stamp })
        return { status: 204 }
      },
    },
  ]
}

// A group can have 10,000 members, and a directory may ask for fewer results than it names, so a page stays small.
const wholeGroupsMax = 10

function groupOperations(deps: ProvisioningDeps): ScimOperation[] {
  const { provisioning } = deps
  const show = async ({ organizationId, query, baseUrl }: ScimRequest, groupId: Uuid): Promise<JsonObject> => {
    const isWanted = readWanted(query)
    const group = await provisioning.findGroup({ organizationId, groupId, withMembers: isWanted('members') })
    if (group === null) throw missingGroup()
    return project(renderGroup(group, baseUrl), isWanted)
  }
  const change = async (request: ScimRequest, terms: Parameters<typeof changeScimGroup>[1]['change']) => {
    const groupId = idOf(request, missingGroup)
    await changeScimGroup(deps, { groupId, change: terms, stamp: request.stamp })
    return reply(200, await show(request, groupId))
  }
  return [
    read('/Groups', async ({ organizationId, query, baseUrl }) => {
      const { filter, startIndex, count } = readListQuery(query)
      const isWanted = readWanted(query)
      const withMembers = isWanted('members')
      const limit = withMembers ? Math.min(count, wholeGroupsMax) : count
      const place = { organizationId, filter, offset: startIndex - 1, limit }
      const found = await provisioning.listGroups({ ...place, withMembers })
      const entries = found.entries.map((group) => project(renderGroup(group, baseUrl), isWanted))
      return renderList({ entries, total: found.total }, startIndex)
    }),
    read('/Groups/:id', (request) => show(request, idOf(request, missingGroup))),
    {
      method: 'POST',
      path: '/Groups',
      handle: async (request) => {
        const groupId = await createScimGroup(
          deps,
          { terms: readScimGroup(request.body), stamp: request.stamp },
          request.nowMs,
        )
        return reply(201, await show(request, groupId))
      },
    },
    {
      method: 'PUT',
      path: '/Groups/:id',
      handle: (request) => {
        const { memberIds, ...names } = readScimGroup(request.body)
        return change(request, { ...names, steps: [{ verb: 'replace', memberIds }] })
      },
    },
    {
      method: 'PATCH',
      path: '/Groups/:id',
      handle: (request) => change(request, readGroupPatch(readPatch(request.body))),
    },
    {
      method: 'DELETE',
      path: '/Groups/:id',
      handle: async (request) => {
        await deleteScimGroup(deps, { groupId: idOf(request, missingGroup), stamp: request.stamp })
        return { status: 204 }
      },
    },
  ]
}

function read(path: string, find: (request: ScimRequest) => Promise<JsonObject>): ScimOperation {
  return { method: 'GET', path, handle: async (request) => reply(200, await find(request)) }
}

function reply(status: 200 | 201, body: JsonObject): ScimReply {
  return { status, body }
}

/** An id that cannot be one of ours is reported as not found. */
function idOf({ id }: ScimRequest, missing: () => GatewayError): Uuid {
  if (!isUuid(id)) throw missing()
  return id
}
