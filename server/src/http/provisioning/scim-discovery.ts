import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { renderList, schemaIds } from './scim-bodies.ts'

/** What the service supports, for clients that ask. */
export function serviceProviderConfig(baseUrl: string): JsonObject {
  return {
    schemas: [schemaIds.config],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 100 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A provisioning token of the organization, in the Authorization header.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  }
}

export function resourceTypes(baseUrl: string): JsonObject[] {
  return (['User', 'Group'] as const).map((name) => ({
    schemas: [schemaIds.resourceType],
    id: name,
    name,
    endpoint: `/${name}s`,
    description: name === 'User' ? 'A member of the organization.' : 'A group of the directory.',
    schema: name === 'User' ? schemaIds.user : schemaIds.group,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  }))
}

/** The attributes that are kept. Others of RFC 7643 are accepted and ignored. */
export function schemas(baseUrl: string): JsonObject[] {
  return [
    schemaOf(baseUrl, { id: schemaIds.user, name: 'User', description: 'A member.', attributes: userAttributes }),
    schemaOf(baseUrl, { id: schemaIds.group, name: 'Group', description: 'A group.', attributes: groupAttributes }),
  ]
}

export function listOf(resources: JsonObject[]): JsonObject {
  return renderList({ entries: resources, total: resources.length }, 1)
}

export function oneOf(resources: JsonObject[], id: string): JsonObject {
  const found = resources.find((resource) => resource['id'] === id)
  if (found === undefined) throw new GatewayError('notFound', { message: 'Not found.' })
  return found
}

function schemaOf(
  baseUrl: string,
  schema: { id: string; name: string; description: string; attributes: JsonObject[] },
): JsonObject {
  const meta = { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` }
  return { schemas: [schemaIds.schema], ...schema, meta }
}

interface AttributeTerms {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable'
  readonly uniqueness?: 'none' | 'server'
  readonly subAttributes?: JsonObject[]
  readonly referenceTypes?: string[]
}

function attribute(name: string, description: string, terms: AttributeTerms = {}): JsonObject {
  const { type = 'string', subAttributes, referenceTypes } = terms
  return {
    name,
    type,
    multiValued: terms.multiValued ?? false,
    description,
    required: terms.required ?? false,
    caseExact: terms.caseExact ?? false,
    mutability: terms.mutability ?? 'readWrite',
    returned: 'default',
    uniqueness: terms.uniqueness ?? 'none',
    ...(subAttributes === undefined ? {} : { subAttributes }),
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
  }
}

const readOnly = { mutability: 'readOnly' } as const

const userAttributes: JsonObject[] = [
  attribute('userName', 'The name at the identity provider.', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'The id in the directory.', { caseExact: true, uniqueness: 'server' }),
  attribute('name', 'The parts of the name.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The full name.'),
      attribute('familyName', 'The family name.'),
      attribute('givenName', 'The given name.'),
    ],
  }),
  attribute('displayName', 'The name that the console shows.'),
  attribute('emails', 'The address of the account. One is kept: the primary address, or that of work.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address, in a verified domain of the organization.'),
      attribute('type', 'Always work.'),
      attribute('primary', 'Always true.', { type: 'boolean' }),
    ],
  }),
  attribute('active', 'Whether the member and their keys have access.', { type: 'boolean' }),
  attribute('groups', 'The groups of the member.', {
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute('value', 'The id of the group.', { ...readOnly, caseExact: true }),
      attribute('display', 'The name of the group.', readOnly),
      attribute('$ref', 'The URL of the group.', { ...readOnly, type: 'reference', referenceTypes: ['Group'] }),
    ],
  }),
]

const groupAttributes: JsonObject[] = [
  attribute('displayName', 'The name, which group mappings refer to.', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'The id in the directory.', { caseExact: true, uniqueness: 'server' }),
  attribute('members', 'The members of the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
      attribute('display', 'The name of the user.', readOnly),
      attribute('type', 'Always User.', readOnly),
      attribute('$ref', 'The URL of the user.', { ...readOnly, type: 'reference', referenceTypes: ['User'] }),
    ],
  }),
]
