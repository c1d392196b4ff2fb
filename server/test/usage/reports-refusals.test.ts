import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles } from '#test/oracle/read-access.ts'
import { type ReportWorld, startReportWorld } from './report-world.ts'

const leapFebruary = 'year=2024&month=2'
const reports = ['overview', 'by-team', 'by-model', 'by-tag', 'by-member', 'export']

describe('reports of an organization refuse', () => {
  let world: ReportWorld
  beforeAll(async () => {
    world = await startReportWorld()
  })
  afterAll(() => world.close())

  const wrong = [
    { query: 'year=2024&month=0', named: 'month' },
    { query: 'year=2024&month=13', named: 'month' },
    { query: 'year=2024&month=two', named: 'month' },
    { query: 'year=2024&month=1.5', named: 'month' },
    { query: 'year=2024&month=', named: 'month' },
    { query: 'year=2024', named: 'month' },
    { query: 'month=2', named: 'year' },
    { query: 'year=1999&month=2', named: 'year' },
    { query: 'year=10000&month=2', named: 'year' },
    { query: 'year=-2024&month=2', named: 'year' },
    { query: 'year=MMXXIV&month=2', named: 'year' },
  ]
  it.each(reports)('a month that is none, naming what is wrong, in %s [REPORT-07]', async (report) => {
    const home = await world.newOrganization()
    for (const { query, named } of wrong) {
      const path = world.reportOf(home, `${report}?view=overview&${query}`)
      const { status, json } = await home.admin.get(path)
      expect(status, query).toBe(400)
      expect(json, query).toMatchObject({ error: { message: expect.stringContaining(` ${named} `) } })
    }
  })

  it.each(['by-model', 'by-tag', 'by-member', 'export'])('to guess the month of %s [REPORT-07]', async (report) => {
    const home = await world.newOrganization()
    expect((await home.admin.get(world.reportOf(home, `${report}?view=overview`))).status).toBe(400)
  })

  it('who may not read: by member is for org_admin alone, the others for billing_viewer too [REPORT-08] [REPORT-09] [NEXT-33] [ORG-08]', async () => {
    const home = await world.newOrganization()
    for (const role of roles) {
      const person = world.as(await world.newMember(home, role))
      for (const report of ['overview', 'by-team', 'by-model', 'by-tag', 'by-member']) {
        const isOpen = role === 'org_admin' || (role === 'billing_viewer' && report !== 'by-member')
        const { status, json } = await person.get(world.reportOf(home, `${report}?${leapFebruary}`))
        expect(status, `${role} ${report}`).toBe(isOpen ? 200 : 403)
        if (!isOpen) expect(Object.keys(json)).toEqual(['error'])
      }
    }
  })

  it('whoever comes with neither a session nor a management key [REPORT-12]', async () => {
    const home = await world.newOrganization()
    const { adminMember } = home
    const session = world.as(await world.signIn(adminMember.userId))
    const standard = world.as((await world.addKey(adminMember.userId)).key)
    const bound = await world.addOrganizationKey(home.id, {
      memberId: adminMember.memberId,
      terms: { type: 'management' },
    })
    for (const report of reports) {
      const path = world.reportOf(home, `${report}?view=by-member&${leapFebruary}`)
      expect((await world.as().get(path)).status, report).toBe(401)
      expect((await standard.get(path)).status, report).toBe(403)
      // An export is not JSON; its own tests read it completely.
      if (report === 'export') continue
      expect((await session.get(path)).status, report).toBe(200)
      expect((await home.admin.get(path)).status, report).toBe(200)
      expect((await world.as(bound.key).get(path)).status, report).toBe(200)
    }
  })

  it('to tell an organization of others from one that never was', async () => {
    const [home, away] = [await world.newOrganization(), await world.newOrganization()]
    await world.spend(away, [{ at: '2024-02-02T00:00:00Z', usd: '3' }])
    for (const report of reports) {
      const path = world.reportOf(away, `${report}?view=overview&${leapFebruary}`)
      expect((await home.admin.get(path)).status, report).toBe(404)
    }
    const { json } = await home.admin.get(world.reportOf(home, `overview?${leapFebruary}`))
    expect(json).toMatchObject({ totalSpend: 0, requests: 0 })
  })
})
