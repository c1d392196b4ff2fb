import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles } from '#test/oracle/read-access.ts'
import type { TestHome } from '#test/organizations/organization-world.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type ReportWorld, startReportWorld } from './report-world.ts'

const views = ['overview', 'by-team', 'by-model', 'by-tag', 'by-member'] as const
const february = 'year=2024&month=2'

describe('GET /api/orgs/:orgId/reports/export', () => {
  let world: ReportWorld
  beforeAll(async () => {
    world = await startReportWorld()
  })
  afterAll(() => world.close())

  /** Downloads as the administrator, unless another cookie is given. */
  async function download(home: TestHome, query: string, cookie?: string): Promise<Reply> {
    const session = cookie ?? (await world.signIn(home.adminMember.userId))
    return world.as({ cookie: session }).get(world.reportOf(home, `export?${query}`))
  }

  async function linesOf(home: TestHome, query: string): Promise<string[]> {
    const { bytes } = await download(home, query)
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = bytes.subarray(3).toString('utf8')
    expect(text.endsWith('\r\n')).toBe(true)
    return text.slice(0, -2).split('\r\n')
  }

  it.each(views)('gives %s as a CSV file that spreadsheet programs know for UTF-8 [REPORT-10]', async (view) => {
    const home = await world.newOrganization()
    const response = await download(home, `view=${view}&${february}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="report-${view}-2024-02.csv"`)
    const { bytes } = response
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(bytes.subarray(3).toString('utf8')).toMatch(/^[a-z0-9_]+(?:,[a-z0-9_]+)+\r\n/)
  })

  it('has a line for each day, the last of a February of a leap year included [REPORT-10]', async () => {
    const home = await world.newOrganization()
    await world.spend(home, [
      { at: '2024-02-29T23:59:59.999Z', usd: '0.000000042', prompt: 3, completion: 4 },
      { at: '2024-03-01T00:00:00.000Z', usd: '5' },
    ])
    const [heading, ...days] = await linesOf(home, `view=overview&${february}`)
    expect(heading).toBe('date,currency,spend,requests,tokens')
    expect(days).toHaveLength(29)
    expect(days[0]).toBe('2024-02-01,USD,0,0,0')
    expect(days[28]).toBe('2024-02-29,USD,0.000000042,1,7')
  })

  it('has a line for each tag [NEXT-33]', async () => {
    const home = await world.newOrganization()
    await world.spend(home, [{ at: '2024-02-02T00:00:00Z', usd: '0.25', prompt: 3, tags: ['team=search'] }])
    expect(await linesOf(home, `view=by-tag&${february}`)).toEqual([
      'tag,currency,spend,requests,tokens',
      'team=search,USD,0.25,1,3',
    ])
  })

  it('has a line for each team, whose names no program takes for formulas or cells [REPORT-10]', async () => {
    const home = await world.newOrganization()
    const { teamId: formula } = await world.addTeam(home.id, { name: '=HYPERLINK("x")', monthlyBudgetUsd: '10' })
    const { teamId: quoted } = await world.addTeam(home.id, { name: 'Sales, "West"\n& Söhne' })
    const { teamId: gone } = await world.addTeam(home.id)
    await world.pool.query(`UPDATE teams SET cost_center_code = '+49' WHERE id = $1`, [formula])
    await world.spend(home, [
      { at: '2024-02-03T00:00:00Z', usd: '4', teamId: formula, model: 'acme/small', prompt: 10 },
      { at: '2024-02-04T00:00:00Z', usd: '2', teamId: formula, model: 'acme/large', completion: 5 },
      { at: '2024-02-05T00:00:00Z', usd: '3', teamId: quoted },
      { at: '2024-02-05T00:00:00Z', usd: '2', teamId: gone },
      { at: '2024-02-06T00:00:00Z', usd: '1' },
    ])
    await home.admin.delete(`${home.path}/teams/${gone}`)
    expect(await linesOf(home, `view=by-team&${february}`)).toEqual([
      'team_id,name,cost_center_code,currency,spend,share_pct,requests,tokens,monthly_budget,budget_utilization_pct',
      `${formula},"'=HYPERLINK(""x"")","'+49",USD,6,50,2,15,10,60`,
      `${quoted},"Sales, ""West""\n& Söhne",,USD,3,25,1,0,,`,
      `${gone},,,USD,2,16.67,1,0,,`,
      ',,,USD,1,8.33,1,0,,',
    ])
  })

  it('has a line for each model [REPORT-10]', async () => {
    const home = await world.newOrganization()
    await world.spend(home, [
      { at: '2024-02-03T00:00:00Z', usd: '0.03', model: 'acme/small', prompt: 15_000, completion: 5_000 },
      { at: '2024-02-04T00:00:00Z', usd: '0.01', model: '@acme/odd' },
    ])
    expect(await linesOf(home, `view=by-model&${february}`)).toEqual([
      'model,currency,spend,share_pct,requests,prompt_tokens,completion_tokens,avg_price_per_1m',
      'acme/small,USD,0.03,75,1,15000,5000,1.5',
      `"'@acme/odd",USD,0.01,25,1,0,0,`,
    ])
  })

  it('has a line for each member, those who left included [REPORT-10]', async () => {
    const home = await world.newOrganization()
    const { teamId } = await world.addTeam(home.id, { name: '-2+3' })
    const ada = await world.addMember(home.id, { teamId, monthlyBudgetUsd: '4' })
    const leaver = await world.addMember(home.id, { monthlyBudgetUsd: '4' })
    await world.addOrganizationKey(home.id, { memberId: leaver.memberId })
    await world.pool.query(`UPDATE users SET name = '@SUM(1,1)' WHERE id = $1`, [ada.userId])
    await world.spend(home, [
      { at: '2024-02-03T00:00:00Z', usd: '5', memberId: ada.memberId, prompt: 7 },
      { at: '2024-02-04T00:00:00Z', usd: '1', memberId: leaver.memberId },
    ])
    await home.admin.delete(`${home.path}/members/${leaver.memberId}`)
    expect(await linesOf(home, `view=by-member&${february}`)).toEqual([
      'member_id,user_id,user_name,user_email,team_id,team_name,currency,spend,requests,tokens,monthly_budget,budget_utilization_pct',
      `${ada.memberId},${ada.userId},"'@SUM(1,1)",${ada.email},${teamId},"'-2+3",USD,5,1,7,4,125`,
      `${leaver.memberId},${leaver.userId},Test,${leaver.email},,,USD,1,1,0,,`,
    ])
  })

  it('has every line of a long report exactly once', async () => {
    const home = await world.newOrganization()
    await world.pool.query(
      `WITH people AS (
         INSERT INTO users (id, email, name) SELECT gen_random_uuid(), gen_random_uuid() || '@example.com', 'Many'
         FROM generate_series(1, 1203) RETURNING id)
       INSERT INTO members (id, organization_id, user_id, role, joined_at)
       SELECT gen_random_uuid(), $1, id, 'member', '2024-01-01' FROM people`,
      [home.id],
    )
    const lines = await linesOf(home, `view=by-member&${february}`)
    expect(lines).toHaveLength(1_204)
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(1_204)
  })

  it('refuses a view that it does not know, or none [REPORT-11]', async () => {
    const home = await world.newOrganization()
    for (const view of ['', 'view=&', 'view=by-key&', 'view=__proto__&', 'view=OVERVIEW&']) {
      const { status, json } = await home.admin.get(world.reportOf(home, `export?${view}${february}`))
      expect(status, view).toBe(400)
      expect(json, view).toMatchObject({ error: { message: expect.stringContaining(' view ') } })
    }
  })

  it('gives what each member spent to an org_admin alone, and the rest to a billing_viewer too [REPORT-11] [ORG-08]', async () => {
    const home = await world.newOrganization()
    for (const role of roles) {
      const cookie = await world.newMember(home, role)
      for (const view of views) {
        const isOpen = role === 'org_admin' || (role === 'billing_viewer' && view !== 'by-member')
        const response = await download(home, `view=${view}&${february}`, cookie)
        expect(response.status, `${role} ${view}`).toBe(isOpen ? 200 : 403)
      }
      // Missing permissions are reported before an invalid month.
      const response = await download(home, 'view=by-member', cookie)
      expect(response.status, role).toBe(role === 'org_admin' ? 400 : 403)
    }
  })

  it('accepts management keys [REPORT-12]', async () => {
    const home = await world.newOrganization()
    const { key } = await world.addKey(home.adminMember.userId, { type: 'management' })
    const path = world.reportOf(home, `export?view=by-member&${february}`)
    expect((await world.as(key).get(path)).status).toBe(200)
  })
})
