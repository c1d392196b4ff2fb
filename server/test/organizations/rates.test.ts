import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

const clock = createTestClock('2030-01-07T12:00:15Z')
let world: OrganizationWorld

beforeAll(async () => {
  world = await startOrganizationWorld({ WEIR_LIMITS_INFERENCE_LOW: '3' }, clock)
})
afterAll(() => world.close())

async function callTimes(key: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let call = 0; call < times; call += 1) statuses.push(await world.canCall(key))
  return statuses
}

describe('the rate of somebody in an organization', () => {
  it('[LIMIT-04] counts apart for the personal and the organization wallet, and together within one', async () => {
    const person = await world.createClient({ usd: '5' })
    const organization = await world.createOrganization({ usd: '5' })
    const { memberId } = await world.addMember(organization.id, { userId: person.userId })
    const first = await world.addOrganizationKey(organization.id, { memberId })
    const second = await world.addOrganizationKey(organization.id, { memberId })
    expect(await callTimes(person.key, 4)).toEqual([200, 200, 200, 429])
    expect(await callTimes(first.key, 2)).toEqual([200, 200])
    expect(await callTimes(second.key, 2)).toEqual([200, 429])
    expect(await callTimes(first.key, 1)).toEqual([429])
    clock.forward(60_000)
    expect(await callTimes(person.key, 1)).toEqual([200])
    expect(await callTimes(second.key, 1)).toEqual([200])
  })

  it('[LIMIT-04] leaves the other members of the organization theirs', async () => {
    const organization = await world.createOrganization({ usd: '5' })
    const members = [await world.addMember(organization.id), await world.addMember(organization.id)]
    const keys = await Promise.all(
      members.map(({ memberId }) => world.addOrganizationKey(organization.id, { memberId })),
    )
    for (const { key } of keys) expect(await callTimes(key, 4)).toEqual([200, 200, 200, 429])
  })
})
