import { randomBytes } from 'node:crypto'
import { objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { type DnsServer, startDnsServer } from '#test/egress/start-dns-server.ts'
import { type OrganizationWorld, startOrganizationWorld } from '#test/organizations/organization-world.ts'
import type { Client } from '#test/setup/client.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { openBrowser, type TestBrowser } from './test-browser.ts'

/** A gateway whose organizations have verified domains. */
export interface SignOnWorld extends OrganizationWorld {
  newHome(): Promise<SignOnHome>
  browser(): TestBrowser
  /** The id of the person who is signed in, or null. */
  personIn(browser: TestBrowser): Promise<string | null>
}

export interface SignOnHome {
  readonly id: string
  /** Sign-on settings of the organization. */
  readonly path: string
  readonly domain: string
  readonly redirectUri: string
  readonly admin: Client
  readonly adminUserId: string
}

export async function startSignOnWorld(environment: Record<string, string> = {}): Promise<SignOnWorld> {
  const records = new Map<string, string>()
  const dns: DnsServer = await startDnsServer((name, type) => {
    const data = type === 'TXT' ? records.get(name) : undefined
    return data === undefined ? 'missing' : [{ type: 'TXT', data }]
  })
  const world = await startOrganizationWorld({
    WEIR_DNS_SERVERS: dns.address,
    WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...environment,
  })
  return {
    ...world,
    newHome: async () => {
      const { id, adminMember } = await world.newOrganization()
      const admin = world.as(await world.signIn(adminMember.userId))
      const path = `/api/orgs/${id}/sign-on`
      const domain = `d${randomBytes(6).toString('hex')}.example`
      const { data } = await admin.post(`${path}/domains`, { domain })
      const { name, value } = data['record'] as { name: string; value: string }
      records.set(name, value)
      await admin.post(`${path}/domains/${String(data['id'])}/verify`)
      const redirectUri = `${ownOrigin}/api/sign-on/${id}/callback`
      return { id, path, domain, redirectUri, admin, adminUserId: adminMember.userId }
    },
    browser: () => openBrowser(world.url),
    personIn: async ({ cookie }) => {
      if (cookie === undefined) return null
      const { text } = await world.as({ cookie }).get('/api/auth/get-session')
      return stringAt(objectAt(parseJsonObject(text) ?? {}, 'user'), 'id') ?? null
    },
    close: async () => {
      await world.close()
      await dns.close()
    },
  }
}
