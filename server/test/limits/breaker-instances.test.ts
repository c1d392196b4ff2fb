import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type SpendWorld, startSpendWorld } from './spend-world.ts'

// The clock stands still, so no cache entry expires: only the message of a change can be the reason.
const clock = createTestClock('2045-01-01T10:00:00Z')
let world: SpendWorld
let second: { url: string; close(): Promise<void> }

beforeAll(async () => {
  world = await startSpendWorld(clock)
  second = await startSecondGateway(world, { WEIR_LIMITS_INFERENCE_FUNDED: '100000' }, clock)
})
afterAll(async () => {
  await second.close()
  await world.close()
})

describe('a change of a breaker', () => {
  it.each(['organization', 'team', 'member'] as const)(
    '[BREAKER-12] (%s) holds within 5 s at another instance that had the key in memory',
    async (layer) => {
      const { organizationId, admin, teams } = await world.newPlace()
      const [{ teamId, people }] = teams
      const [ada] = people
      const paths = { organization: '', team: `/teams/${teamId}`, member: `/members/${ada.memberId}` }
      const path = `/api/orgs/${organizationId}${paths[layer]}/circuit-breaker`
      const statusThere = async (): Promise<number> =>
        (await callChat({ url: second.url, key: ada.key }, { max_tokens: 500 })).status
      expect(await statusThere()).toBe(200)
      const patch = (body: object): Promise<unknown> => world.send(admin, 'PATCH', path, { ...body })
      await patch({ cbEnabled: true, cbMinuteUsd: 0.001 })
      await expect.poll(statusThere).toBe(429)
      await patch({ cbMinuteUsd: 1 })
      await expect.poll(statusThere).toBe(200)
      await patch({ cbMinuteUsd: 0.001 })
      await expect.poll(statusThere).toBe(429)
      await patch({ cbEnabled: false })
      await expect.poll(statusThere).toBe(200)
    },
  )
})
