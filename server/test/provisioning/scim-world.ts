import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import type { Client } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'

/** A gateway with organizations whose directories provision them. */
export interface ScimWorld extends OrganizationWorld {
  /** An organization with a verified domain of its own and a provisioning token. */
  newScimHome(): Promise<ScimHome>
}

export interface ScimHome extends TestHome {
  /** Verified, such as `d1f….example`. */
  readonly domain: string
  /** The administrator's session. */
  readonly session: Client
  readonly scim: Client
  readonly token: JsonObject
  /** Creates a person by their name before the @, and returns the user. */
  create(name: string, attributes?: JsonObject): Promise<JsonObject>
  patch(id: string, ...operations: JsonObject[]): Promise<Reply>
}

export async function startScimWorld(environment: Record<string, string> = {}): Promise<ScimWorld> {
  const world = await startOrganizationWorld(environment)
  return { ...world, newScimHome: () => newScimHome(world) }
}

async function newScimHome(world: OrganizationWorld): Promise<ScimHome> {
  const home = await world.newOrganization()
  const domain = `d${randomUUID().slice(0, 8)}.example`
  await verifyDomain(world, home.id, domain)
  const session = world.as(await world.signIn(home.adminMember.userId))
  const created = await session.post(`/api/orgs/${home.id}/provisioning/tokens`, { name: 'Directory' })
  expect(created.status).toBe(201)
  const scim = world.as(String(created.data['token']))
  return {
    ...home,
    domain,
    session,
    scim,
    token: created.data,
    create: async (name, attributes = {}) => {
      const { status, json } = await scim.post('/scim/v2/Users', { ...userBody(name, domain), ...attributes })
      expect({ status, json }).toMatchObject({ status: 201 })
      return json
    },
    patch: (id, ...Operations) => scim.patch(`/scim/v2/Users/${id}`, patchBody(...Operations)),
  }
}

export async function verifyDomain(
  world: Pick<OrganizationWorld, 'pool'>,
  organizationId: string,
  domain: string,
): Promise<void> {
  await world.pool.query(
    `INSERT INTO organization_domains (id, organization_id, domain, token, verified_at) VALUES ($1, $2, $3, 'weir-test', now())`,
    [randomUUID(), organizationId, domain],
  )
}

export function userBody(name: string, domain: string): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `${name}@${domain}`,
    externalId: `id-${name}`,
    name: { givenName: name, familyName: 'Test' },
    emails: [{ value: `${name}@${domain}`, type: 'work', primary: true }],
    active: true,
  }
}

export function patchBody(...Operations: JsonObject[]): JsonObject {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }
}
