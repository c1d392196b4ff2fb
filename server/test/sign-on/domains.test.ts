import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimsAddress } from '#control/sign-on/claims-address.ts'
import { createSignOnStore } from '#store/postgres/sign-on/sign-on-store.ts'
import { type DnsServer, startDnsServer } from '#test/egress/start-dns-server.ts'
import { type OrganizationWorld, startOrganizationWorld } from '#test/organizations/organization-world.ts'
import type { Client } from '#test/setup/client.ts'

const records = new Map<string, string>()
let dns: DnsServer
let world: OrganizationWorld
beforeAll(async () => {
  dns = await startDnsServer((name, type) => {
    const data = type === 'TXT' ? records.get(name) : undefined
    if (name.startsWith('_weir-verification.failed.')) return 'failed'
    return data === undefined ? 'missing' : [{ type: 'TXT', data }]
  })
  world = await startOrganizationWorld({ WEIR_DNS_SERVERS: dns.address })
})
afterAll(async () => {
  await world.close()
  await dns.close()
})

interface Home {
  id: string
  path: string
  admin: Client
}

async function newHome(): Promise<Home> {
  const { id, adminMember } = await world.newOrganization()
  return { id, path: `/api/orgs/${id}/sign-on/domains`, admin: world.as(await world.signIn(adminMember.userId)) }
}

interface Added {
  id: string
  record: { name: string; value: string }
}

async function add({ admin, path }: Home, domain: string): Promise<Added> {
  const { status, data } = await admin.post(path, { domain })
  expect(status).toBe(201)
  return data as unknown as Added
}

const mayClaim = (organizationId: string, address: string): Promise<boolean> =>
  claimsAddress(createSignOnStore(world.pool, Date.now), { organizationId, address })

describe('domains of an organization', () => {
  it('are verified by a TXT record, and every change is audited', async () => {
    const home = await newHome()
    const { id, record } = await add(home, ' Acme.Example ')
    expect(record.name).toBe('_weir-verification.acme.example')
    expect(record.value).toMatch(/^weir-[0-9a-f]{40}$/)
    expect((await home.admin.post(`${home.path}/${id}/verify`)).status).toBe(409)
    expect(await mayClaim(home.id, 'ada@acme.example')).toBe(false)
    records.set(record.name, 'weir-other')
    expect((await home.admin.post(`${home.path}/${id}/verify`)).status).toBe(409)
    records.set(record.name, record.value)
    const verified = await home.admin.post(`${home.path}/${id}/verify`)
    expect(verified.status).toBe(200)
    expect(verified.data['verifiedAt']).toEqual(expect.any(String))
    expect(await mayClaim(home.id, 'Ada@ACME.example')).toBe(true)
    expect(await mayClaim(home.id, 'ada@mail.acme.example')).toBe(false)
    expect(await mayClaim(home.id, 'ada@acme.example@evil.example')).toBe(false)
    expect((await home.admin.delete(`${home.path}/${id}`)).status).toBe(204)
    expect(await mayClaim(home.id, 'ada@acme.example')).toBe(false)
    const actions = (await world.auditOf(home.id)).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('sign_on.'))).toEqual([
      'sign_on.domain.add',
      'sign_on.domain.verify',
      'sign_on.domain.remove',
    ])
  })

  it('belong to the organization that verified them first', async () => {
    const [first, second] = [await newHome(), await newHome()]
    const mine = await add(first, 'shared.example')
    const theirs = await add(second, 'shared.example')
    expect(mine.record.value).not.toBe(theirs.record.value)
    records.set(mine.record.name, mine.record.value)
    expect((await first.admin.post(`${first.path}/${mine.id}/verify`)).status).toBe(200)
    // Without the second token in DNS, the answer does not tell that another organization owns the domain.
    const unproven = await second.admin.post(`${second.path}/${theirs.id}/verify`)
    expect([unproven.status, unproven.text]).toEqual([409, expect.not.stringContaining('Another')])
    records.set(mine.record.name, theirs.record.value)
    const proven = await second.admin.post(`${second.path}/${theirs.id}/verify`)
    expect([proven.status, proven.text]).toEqual([409, expect.stringContaining('Another')])
    expect(await mayClaim(first.id, 'ada@shared.example')).toBe(true)
    expect(await mayClaim(second.id, 'ada@shared.example')).toBe(false)
    // Once the owner lets the domain go, its next owner can verify it.
    await first.admin.delete(`${first.path}/${mine.id}`)
    expect((await second.admin.post(`${second.path}/${theirs.id}/verify`)).status).toBe(200)
  })

  it('refuse what is no domain, what is listed already, and a DNS server that fails', async () => {
    const home = await newHome()
    await add(home, 'twice.example')
    expect((await home.admin.post(home.path, { domain: 'TWICE.example' })).status).toBe(409)
    for (const domain of ['localhost', '127.0.0.1', 'a b.example', '*.example.com']) {
      expect((await home.admin.post(home.path, { domain })).status, domain).toBe(400)
    }
    const { id } = await add(home, 'failed.example')
    expect((await home.admin.post(`${home.path}/${id}/verify`)).status).toBe(409)
  })

  it('of another organization look as if they did not exist', async () => {
    const [mine, theirs] = [await newHome(), await newHome()]
    const { id } = await add(theirs, 'foreign.example')
    const unknown = crypto.randomUUID()
    for (const path of [`${mine.path}/${id}`, `${mine.path}/${unknown}`]) {
      expect((await mine.admin.post(`${path}/verify`)).status).toBe(404)
      expect((await mine.admin.delete(path)).status).toBe(404)
    }
    expect((await mine.admin.get(theirs.path)).status).toBe(404)
    expect((await theirs.admin.get(theirs.path)).json['data']).toHaveLength(1)
  })
})
