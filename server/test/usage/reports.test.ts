import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { daysOf, endOf, monthOf, startOf } from '#lib/utc-calendar.ts'
import type { TestHome } from '#test/organizations/organization-world.ts'
import { type ReportWorld, startReportWorld } from './report-world.ts'

const leapFebruary = 'year=2024&month=2'

describe('reports of an organization', () => {
  let world: ReportWorld
  beforeAll(async () => {
    world = await startReportWorld()
  })
  afterAll(() => world.close())

  /** A February of 29 days with spend of two teams, one of them deleted since, and of one member who left. */
  async function newFebruary() {
    const home = await world.newOrganization()
    const research = await world.addTeam(home.id, { name: 'Research', monthlyBudgetUsd: '5' })
    await home.admin.patch(`${home.path}/teams/${research.teamId}`, { costCenterCode: 'CC-7' })
    const idle = await world.addTeam(home.id, { name: 'Idle', monthlyBudgetUsd: '0' })
    await world.pool.query(`UPDATE teams SET created_at = '2024-02-29T23:59:59Z' WHERE id = $1`, [idle.teamId])
    const gone = await world.addTeam(home.id, { name: 'Gone', monthlyBudgetUsd: '3' })
    const ada = await world.addMember(home.id, { teamId: research.teamId, monthlyBudgetUsd: '2' })
    const leaver = await world.addMember(home.id, { teamId: gone.teamId, monthlyBudgetUsd: '1' })
    await world.addOrganizationKey(home.id, { memberId: leaver.memberId })
    await world.addOrganizationKey(home.id, { memberId: leaver.memberId })
    const [byAda, byLeaver] = [
      { teamId: research.teamId, memberId: ada.memberId },
      { teamId: gone.teamId, memberId: leaver.memberId },
    ]
    await world.spend(home, [
      { ...byAda, at: '2024-01-31T23:59:59.999Z', usd: '7.000000007' },
      { ...byAda, at: '2024-02-01T00:00:00.000Z', usd: '0.5', model: 'acme/small', prompt: 100 },
      { ...byLeaver, at: '2024-02-10T12:00:00.000Z', usd: '0.5', model: 'acme/small', prompt: 100, completion: 50 },
      { at: '2024-02-10T13:00:00.000Z', usd: '0.000000001', model: 'acme/free' },
      { ...byAda, at: '2024-02-29T23:59:59.999Z', usd: '1.25', model: 'acme/large', prompt: 1_000, completion: 500 },
      { ...byAda, at: '2024-03-01T00:00:00.000Z', usd: '9' },
    ])
    expect((await home.admin.delete(`${home.path}/teams/${gone.teamId}`)).status).toBe(204)
    expect((await home.admin.delete(`${home.path}/members/${leaver.memberId}`)).status).toBe(204)
    return { home, research, idle, gone, ada, leaver }
  }

  it('tells the month by tag, and a request with two tags in both [NEXT-33]', async () => {
    const [home, other] = [await world.newOrganization(), await world.newOrganization()]
    const two = ['team=search', 'feature=rewrite']
    await world.spend(home, [
      { at: '2024-01-31T23:59:59.999Z', usd: '7', tags: two },
      { at: '2024-02-01T00:00:00.000Z', usd: '0.5', prompt: 10, tags: two },
      { at: '2024-02-29T23:59:59.999Z', usd: '0.000000001', completion: 5, tags: ['team=search'] },
      { at: '2024-02-10T00:00:00.000Z', usd: '3' },
    ])
    await world.spend(other, [{ at: '2024-02-01T00:00:00.000Z', usd: '9', tags: two }])
    const { status, json } = await home.admin.get(world.reportOf(home, `by-tag?${leapFebruary}`))
    expect([status, json]).toEqual([
      200,
      {
        tags: [
          { name: 'team', value: 'search', spend: 0.500000001, requests: 2, tokens: 15 },
          { name: 'feature', value: 'rewrite', spend: 0.5, requests: 1, tokens: 10 },
        ],
      },
    ])
  })

  it('tells the whole month and every day of it, from its first to its last millisecond [REPORT-02]', async () => {
    const { home } = await newFebruary()
    const { status, json } = await home.admin.get(world.reportOf(home, `overview?${leapFebruary}`))
    expect(status).toBe(200)
    const { dailyTrend, ...others } = json
    expect(others).toEqual({
      year: 2024,
      month: 2,
      currency: 'USD',
      totalSpend: 2.250000001,
      marginRate: 0,
      requests: 4,
      tokens: 1_750,
      previousMonthSpend: 7.000000007,
    })
    const nothing = { spend: 0, requests: 0, tokens: 0 }
    const used = new Map<string, object>([
      ['2024-02-01', { spend: 0.5, requests: 1, tokens: 100 }],
      ['2024-02-10', { spend: 0.500000001, requests: 2, tokens: 150 }],
      ['2024-02-29', { spend: 1.25, requests: 1, tokens: 1_500 }],
    ])
    const days = daysOf({ startMs: Date.UTC(2024, 1, 1), endMs: Date.UTC(2024, 2, 1) })
    expect(days).toHaveLength(29)
    expect(dailyTrend).toEqual(days.map((date) => ({ date, ...nothing, ...used.get(date) })))
  })

  it('adds up to the nano-dollar, by days, teams, models and members alike [REPORT-02] [REPORT-04] [REPORT-05]', async () => {
    const home = await world.newOrganization()
    const teamIds = [undefined, ...(await Promise.all(['A', 'B', 'C'].map((name) => newTeam(home, name))))]
    const request = fc.record({
      day: fc.integer({ min: 1, max: 30 }),
      cost: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      team: fc.nat(3),
      model: fc.constantFrom('acme/small', 'acme/large', 'acme/free'),
    })
    const [requests = []] = fc.sample(fc.array(request, { minLength: 200, maxLength: 200 }), { numRuns: 1, seed: 7 })
    // Random spend exceeds the organization's credit.
    await world.pool.query('UPDATE wallets SET credit_line_nano = 1000000000000000 WHERE id = $1', [home.walletId])
    await world.spend(
      home,
      requests.map(({ day, cost, team, model }) => {
        const teamId = teamIds[team]
        const at = `2025-06-${String(day).padStart(2, '0')}T08:00:00Z`
        return { at, usd: formatUsd(nanoUsd(cost)), model, ...(teamId === undefined ? {} : { teamId }) }
      }),
    )
    const total = requests.reduce((sum, { cost }) => sum + cost, 0n)
    const lists = { overview: 'dailyTrend', 'by-team': 'teams', 'by-model': 'models', 'by-member': 'members' }
    for (const [report, list] of Object.entries(lists)) {
      const { json } = await home.admin.get(world.reportOf(home, `${report}?year=2025&month=6`))
      const rows = listOf(json[list])
      expect(sumOf(rows, 'spend', 1e9), report).toBe(Number(total))
      expect(sumOf(rows, 'requests'), report).toBe(200)
      if (report === 'by-team' || report === 'by-model') expect(sumOf(rows, 'sharePct', 100), report).toBe(10_000)
    }
  })

  it('tells what each team spent, on which models and of which budget, the deleted and none at all included [REPORT-03] [REPORT-04]', async () => {
    const { home, research, idle, gone } = await newFebruary()
    const { status, json } = await home.admin.get(world.reportOf(home, `by-team?${leapFebruary}`))
    expect(status).toBe(200)
    expect(json).toEqual({
      teams: [
        {
          teamId: research.teamId,
          name: 'Research',
          costCenterCode: 'CC-7',
          spend: 1.75,
          sharePct: 77.78,
          requests: 2,
          tokens: 1_600,
          monthlyBudget: 5,
          budgetUtilizationPct: 35,
          models: [
            { model: 'acme/large', spend: 1.25, requests: 1, tokens: 1_500 },
            { model: 'acme/small', spend: 0.5, requests: 1, tokens: 100 },
          ],
        },
        {
          teamId: gone.teamId,
          name: null,
          costCenterCode: null,
          spend: 0.5,
          sharePct: 22.22,
          requests: 1,
          tokens: 150,
          monthlyBudget: null,
          budgetUtilizationPct: null,
          models: [{ model: 'acme/small', spend: 0.5, requests: 1, tokens: 150 }],
        },
        {
          teamId: null,
          name: null,
          costCenterCode: null,
          spend: 1e-9,
          sharePct: 0,
          requests: 1,
          tokens: 0,
          monthlyBudget: null,
          budgetUtilizationPct: null,
          models: [{ model: 'acme/free', spend: 1e-9, requests: 1, tokens: 0 }],
        },
        {
          teamId: idle.teamId,
          name: 'Idle',
          costCenterCode: null,
          spend: 0,
          sharePct: 0,
          requests: 0,
          tokens: 0,
          monthlyBudget: 0,
          budgetUtilizationPct: null,
          models: [],
        },
      ],
    })
  })

  it('tells what each model cost, and a million of its tokens [REPORT-05]', async () => {
    const { home } = await newFebruary()
    const { status, json } = await home.admin.get(world.reportOf(home, `by-model?${leapFebruary}`))
    expect(status).toBe(200)
    const large = { promptTokens: 1_000, completionTokens: 500, avgPricePer1M: 833.333333333 }
    const small = { promptTokens: 200, completionTokens: 50, avgPricePer1M: 4_000 }
    const free = { promptTokens: 0, completionTokens: 0, avgPricePer1M: null }
    expect(json).toEqual({
      models: [
        { model: 'acme/large', spend: 1.25, sharePct: 55.56, requests: 1, ...large },
        { model: 'acme/small', spend: 1, sharePct: 44.44, requests: 2, ...small },
        { model: 'acme/free', spend: 1e-9, sharePct: 0, requests: 1, ...free },
      ],
    })
  })

  it('tells what each member spent, those who left by name and nobody in particular included [REPORT-06]', async () => {
    const { home, research, ada, leaver } = await newFebruary()
    const { status, json } = await home.admin.get(world.reportOf(home, `by-member?${leapFebruary}`))
    expect(status).toBe(200)
    const nowhere = { team: null, monthlyBudget: null, budgetUtilizationPct: null }
    expect(json).toEqual({
      members: [
        {
          memberId: ada.memberId,
          user: { id: ada.userId, name: 'Test', email: ada.email },
          team: { id: research.teamId, name: 'Research' },
          spend: 1.75,
          requests: 2,
          tokens: 1_600,
          monthlyBudget: 2,
          budgetUtilizationPct: 87.5,
        },
        {
          memberId: leaver.memberId,
          user: { id: leaver.userId, name: 'Test', email: leaver.email },
          ...nowhere,
          spend: 0.5,
          requests: 1,
          tokens: 150,
        },
        { memberId: null, user: null, ...nowhere, spend: 1e-9, requests: 1, tokens: 0 },
      ],
    })
  })

  it('lists members and teams that have spent nothing from the month on in which they came', async () => {
    const home = await world.newOrganization()
    const { memberId } = home.adminMember
    const { teamId } = await world.addTeam(home.id, { name: 'New' })
    const { year, month } = monthOf(Date.now())
    const now = `year=${year}&month=${month}`
    expect(await listed('by-team', 'teams', now)).toMatchObject([{ teamId, spend: 0, sharePct: 0 }])
    expect(await listed('by-member', 'members', now)).toMatchObject([{ memberId, spend: 0 }])
    expect(await listed('by-team', 'teams', leapFebruary)).toEqual([])
    expect(await listed('by-member', 'members', leapFebruary)).toEqual([])

    async function listed(report: string, list: string, query: string) {
      return listOf((await home.admin.get(world.reportOf(home, `${report}?${query}`))).json[list])
    }
  })

  it('is of the current month unless said, up to today [REPORT-01]', async () => {
    const home = await world.newOrganization()
    const { teamId } = await world.addTeam(home.id, { name: 'Now' })
    const nowMs = Date.now()
    const at = new Date(nowMs).toISOString()
    const before = new Date(startOf('month', nowMs) - 1).toISOString()
    await world.spend(home, [
      { at, usd: '0.3', teamId },
      { at: before, usd: '4', teamId },
    ])
    const overview = await home.admin.get(world.reportOf(home, 'overview'))
    expect(overview.json).toMatchObject({ ...monthOf(nowMs), totalSpend: 0.3, previousMonthSpend: 4 })
    const days = daysOf({ startMs: startOf('month', nowMs), endMs: endOf('day', nowMs) })
    expect(listOf(overview.json['dailyTrend']).map(({ date }) => date)).toEqual(days)
    const { json } = await home.admin.get(world.reportOf(home, 'by-team'))
    expect(json).toMatchObject({ teams: [{ teamId, spend: 0.3, sharePct: 100 }] })
  })

  it('counts what a gateway with a fast clock has accepted tomorrow, so that days still add up [REPORT-02]', async () => {
    const home = await world.newOrganization()
    const tomorrowMs = endOf('day', Date.now())
    await world.spend(home, [{ at: new Date(tomorrowMs).toISOString(), usd: '0.7' }])
    const { year, month } = monthOf(tomorrowMs)
    const { json } = await home.admin.get(world.reportOf(home, `overview?year=${year}&month=${month}`))
    expect(json).toMatchObject({ totalSpend: 0.7 })
    expect(sumOf(listOf(json['dailyTrend']), 'spend', 10)).toBe(7)
  })

  it('is empty for months that have not come, the last of all included', async () => {
    const home = await world.newOrganization()
    const { status, json } = await home.admin.get(world.reportOf(home, 'overview?year=9999&month=12'))
    expect(status).toBe(200)
    expect(json).toMatchObject({ totalSpend: 0, previousMonthSpend: 0, dailyTrend: [] })
  })

  it('writes amounts with all digits', async () => {
    const { home } = await newFebruary()
    const cookie = await world.signIn(home.adminMember.userId)
    const { text } = await world.as({ cookie }).get(world.reportOf(home, `by-model?${leapFebruary}`))
    expect(text).toContain('"model":"acme/free","spend":0.000000001,')
  })

  async function newTeam(home: TestHome, name: string): Promise<string> {
    return (await world.addTeam(home.id, { name })).teamId
  }
})

type Row = Record<string, unknown>

function listOf(value: unknown): Row[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`)
  return value
}

/** In integer multiples of one `parts`-th, because sums of decimals are not exact. */
function sumOf(rows: readonly Row[], field: string, parts = 1): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[field]) * parts), 0)
}
