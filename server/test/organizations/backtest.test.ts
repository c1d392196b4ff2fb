import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '../money/settles.ts'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

let world: OrganizationWorld

beforeAll(async () => {
  world = await startOrganizationWorld()
})
afterAll(() => world.close())

type Home = Awaited<ReturnType<OrganizationWorld['newOrganization']>>

/** Settles requests of a member that cost so many dollars each, a minute apart, from noon of yesterday on. */
async function spend(
  home: Home,
  memberId: string,
  { dollars, teamId }: { dollars: readonly number[]; teamId?: string },
) {
  // No month and no week begins between them.
  const firstMs = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
  for (const [index, amount] of dollars.entries()) {
    const startedAtMs = firstMs + index * 60_000
    const cost = nanoUsd(BigInt(amount) * 1_000_000_000n)
    const payer = {
      walletId: home.walletId,
      keyId: newUuid(startedAtMs),
      userId: null,
      organizationId: home.id,
      memberId,
    }
    const owned = { ...payer, id: newUuid(startedAtMs), ...(teamId === undefined ? {} : { teamId }) }
    await settleGenerations(world.pool, [settleEntry(owned, cost, { startedAtMs, held: cost })])
  }
}

describe('a backtest', () => {
  it('names how many requests, whose, and what they cost', async () => {
    const home = await world.newOrganization({ usd: '100' })
    const { teamId } = await world.addTeam(home.id)
    const { memberId } = await world.addMember(home.id, { teamId })
    await spend(home, memberId, { dollars: [3, 3, 3], teamId })
    for (const path of ['', `/teams/${teamId}`, `/members/${memberId}`]) {
      const { status, data } = await home.admin.post(`/api/orgs/${home.id}${path}/backtest`, { monthlyBudget: 7 })
      expect(status, path).toBe(200)
      expect(data).toMatchObject({
        requests: 3,
        refused: 1,
        refusedSpend: 3,
        refusedBy: { monthlyBudget: 1, weeklyBudget: 0 },
        worstMinute: { refused: 1 },
        peopleCount: 1,
        people: [{ memberId, refused: 1, spend: 3, name: expect.any(String) }],
        examples: [{ model: 'acme/model', memberId, refusedBy: 'monthly_budget' }],
      })
    }
  })

  it('of other people finds nothing of these requests', async () => {
    const home = await world.newOrganization({ usd: '100' })
    const other = await world.newOrganization({ usd: '100' })
    const { memberId } = await world.addMember(home.id)
    const idle = await world.addMember(home.id)
    await spend(home, memberId, { dollars: [3] })
    for (const [whose, path] of [
      [home, `${home.id}/members/${idle.memberId}`],
      [other, other.id],
    ] as const) {
      const { data } = await whose.admin.post(`/api/orgs/${path}/backtest`, { monthlyBudget: 0 })
      expect(data).toMatchObject({ requests: 0, refused: 0, worstMinute: null, people: [], examples: [] })
    }
  })

  it('judges models by the given list, and an empty list allows all', async () => {
    const home = await world.newOrganization({ usd: '100' })
    const { memberId } = await world.addMember(home.id)
    await spend(home, memberId, { dollars: [1, 1] })
    const post = async (allowedModels: string[]) =>
      (await home.admin.post(`/api/orgs/${home.id}/backtest`, { allowedModels })).data['refused']
    expect([await post(['acme/other']), await post(['acme/*']), await post([])]).toEqual([2, 0, 0])
  })

  it.each([
    ['no control', {}, ''],
    ['a weekly budget of a team', { weeklyBudget: 1 }, 'team'],
    ['a negative amount', { monthlyBudget: -1 }, ''],
    ['an invalid model', { allowedModels: ['?'] }, ''],
  ])('refuses %s with 400', async (_title, body, place) => {
    const home = await world.newOrganization()
    const { teamId } = await world.addTeam(home.id)
    const path = place === 'team' ? `/teams/${teamId}` : ''
    expect((await home.admin.post(`/api/orgs/${home.id}${path}/backtest`, body)).status).toBe(400)
  })
})
