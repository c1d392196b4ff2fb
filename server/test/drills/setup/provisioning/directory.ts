import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createScimToken } from '#control/provisioning/manage-tokens.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { createScimTokens } from '#store/postgres/provisioning/token-store.ts'
import type { ServerProcess } from '../server-process.ts'
import type { World } from '../world.ts'

/** An organization without members, and a directory that provisions it over all gateways in turn. */
export interface Directory {
  readonly organizationId: string
  readonly teams: readonly { readonly name: string; readonly teamId: string }[]
  readonly domain: string
  send(method: string, path: string, body?: JsonObject): Promise<{ status: number; json: JsonObject }>
}

export const defaultBudgetUsd = { organization: '5', team: '3' }

/** Every team has a group of its name, a mapping and a default budget of its own. */
export async function openDirectory(
  world: World,
  { gateways, teamCount }: { gateways: readonly ServerProcess[]; teamCount: number },
): Promise<Directory> {
  const { id } = await world.createOrganization({ usd: '1000' })
  const domain = `d${randomUUID().slice(0, 8)}.example`
  await world.pool.query('UPDATE organizations SET default_budget_nano = $2 WHERE id = $1', [
    id,
    parseUsd(defaultBudgetUsd.organization),
  ])
  await world.pool.query(
    `INSERT INTO organization_domains (id, organization_id, domain, token, verified_at) VALUES ($1, $2, $3, 'weir-drill', now())`,
    [randomUUID(), id, domain],
  )
  const teams = []
  for (let position = 0; position < teamCount; position += 1) {
    const name = `Team ${position}`
    teams.push({ name, teamId: await addMappedTeam(world, { organizationId: id, name, position }) })
  }
  const secret = await createToken(world, id)
  let turn = 0
  return {
    organizationId: id,
    teams,
    domain,
    send: async (method, path, body) => {
      turn += 1
      const gateway = gateways[turn % gateways.length]
      assert.ok(gateway !== undefined, 'there is a gateway')
      const response = await fetch(`${gateway.url}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const json: unknown = response.status === 204 ? {} : await response.json()
      assert.ok(isJsonObject(json), 'an answer of SCIM is an object')
      return { status: response.status, json }
    },
  }
}

async function addMappedTeam(
  world: World,
  { organizationId, name, position }: { organizationId: string; name: string; position: number },
): Promise<string> {
  const { teamId } = await world.addTeam(organizationId, { name })
  await world.pool.query('UPDATE teams SET default_budget_nano = $2 WHERE id = $1', [
    teamId,
    parseUsd(defaultBudgetUsd.team),
  ])
  await world.pool.query(
    `INSERT INTO sign_on_groups (organization_id, group_name, position, team_id, role) VALUES ($1, $2, $3, $4, 'member')`,
    [organizationId, name, position, teamId],
  )
  return teamId
}

async function createToken(world: World, organizationId: string): Promise<string> {
  const tokens = createScimTokens(world.pool, Date.now)
  const stamp = { chainId: organizationId, actor: { kind: 'operator', id: null, name: null } as const, requestId: null }
  const input = { organizationId, body: { name: 'Directory' }, stamp, nowMs: Date.now() }
  return (await createScimToken(tokens, input)).secret
}
