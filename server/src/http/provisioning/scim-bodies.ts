import { ScimRefusal } from '#domain/provisioning/scim-refusal.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ScimGroup, ScimPage, ScimUser } from '#ports/provisioning.ts'

export const scimType = 'application/scim+json; charset=utf-8'

export const schemaIds = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
} as const

export function renderUser(user: ScimUser, baseUrl: string): JsonObject {
  const { givenName, familyName, formatted } = user
  const name = given({ formatted, familyName, givenName })
  return {
    schemas: [schemaIds.user],
    id: user.id,
    ...given({ externalId: user.externalId }),
    userName: user.userName,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...given({ displayName: user.displayName }),
    emails: [{ value: user.email, type: 'work', primary: true }],
    active: user.active,
    groups: user.groups.map(({ id, displayName }) => ({
      value: id,
      display: displayName,
      $ref: `${baseUrl}/Groups/${id}`,
    })),
    meta: metaOf('User', user, baseUrl),
  }
}

export function renderGroup(group: ScimGroup, baseUrl: string): JsonObject {
  return {
    schemas: [schemaIds.group],
    id: group.id,
    ...given({ externalId: group.externalId }),
    displayName: group.displayName,
    members: group.members.map(({ id, userName }) => ({
      value: id,
      display: userName,
      type: 'User',
      $ref: `${baseUrl}/Users/${id}`,
    })),
    meta: metaOf('Group', group, baseUrl),
  }
}

function metaOf(
  resourceType: 'User' | 'Group',
  { id, createdAtMs, updatedAtMs }: Pick<ScimUser, 'id' | 'createdAtMs' | 'updatedAtMs'>,
  baseUrl: string,
): JsonObject {
  return {
    resourceType,
    created: new Date(createdAtMs).toISOString(),
    lastModified: new Date(updatedAtMs).toISOString(),
    location: `${baseUrl}/${resourceType}s/${id}`,
  }
}

function given(attributes: Readonly<Record<string, string | null>>): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
}

export function renderList({ entries, total }: ScimPage<JsonObject>, startIndex: number): JsonObject {
  return {
    schemas: [schemaIds.list],
    totalResults: total,
    startIndex,
    itemsPerPage: entries.length,
    Resources: [...entries],
  }
}

/** The error body of RFC 7644, section 3.12. */
export function scimErrorBody(error: GatewayError): string {
  return JSON.stringify({
    schemas: [schemaIds.error],
    status: String(error.row.status),
    ...(error instanceof ScimRefusal ? { scimType: error.scimType } : {}),
    detail: error.message,
  })
}

/** Attributes that a response has whatever the request asks for. */
const always = new Set(['schemas', 'id', 'meta'])

/** Leaves out top-level attributes as `attributes` and `excludedAttributes` say. */
export function project(resource: JsonObject, isWanted: (attribute: string) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => always.has(name) || isWanted(name.toLowerCase())),
  )
}
