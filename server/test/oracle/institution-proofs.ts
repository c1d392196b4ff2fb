import { expect } from 'vitest'
import type { LimitProof, ProofPlace } from './limit-proof.ts'

/** Limits of institutions. */
export const institutionProofs: Readonly<Record<string, LimitProof>> = {
  'seconds of the session of an institution': async (place, value) => {
    expect(await configOf(place)).toMatchObject({ sessionTtlSeconds: value })
  },
  'seconds of the code of an institution': async (place, value) => {
    expect(await configOf(place)).toMatchObject({ verificationTtlSeconds: value })
  },
  'sessions of an email and an institution key': async (place, value) => {
    expect(await configOf(place)).toMatchObject({ maxSessionsPerEmailPerKey: value })
  },
  'seconds between two codes for one email': async ({ world }, value) => {
    const ask = () => requestCode(world.url, 'one@uni.example', '192.0.2.1')
    expect((await ask()).status).toBe(200)
    const second = await ask()
    expect([second.status, await second.json()]).toEqual([429, { error: 'cooldown' }])
    const waitS = Number(second.headers.get('retry-after'))
    expect(waitS).toBeGreaterThan(value - 30)
    expect(waitS).toBeLessThanOrEqual(value)
  },
  'codes asked for from one address in 15 minutes': async ({ world }, value) => {
    for (let asked = 0; asked < value; asked += 1) {
      expect((await requestCode(world.url, `${asked}@uni.example`, '192.0.2.2')).status).toBe(200)
    }
    const next = await requestCode(world.url, 'last@uni.example', '192.0.2.2')
    expect([next.status, await next.json()]).toEqual([429, { error: 'rate_limited' }])
    expect((await requestCode(world.url, 'last@uni.example', '192.0.2.3')).status).toBe(200)
  },
}

/** The configuration of a key that was created with only its domains. */
async function configOf({ world }: ProofPlace): Promise<unknown> {
  const { id } = await world.createOrganization()
  const { userId } = await world.addMember(id, { role: 'org_admin' })
  const admin = world.as(await world.addKey(userId, { type: 'management' }))
  const eduConfig = { allowedDomains: ['uni.example'] }
  const made = await admin.post(`/api/orgs/${id}/institution-keys`, { name: 'Campus', eduConfig })
  expect(made.status, made.text).toBe(201)
  const [listed] = (await admin.get(`/api/orgs/${id}/institution-keys`)).list
  return listed?.eduConfig
}

/** The response is the same whether the key exists or not. */
function requestCode(url: string, email: string, address: string): Promise<Response> {
  return fetch(`${url}/api/edu/request-code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-real-ip': address },
    body: JSON.stringify({ key: `sk-edu-${'0'.repeat(64)}`, email }),
  })
}
