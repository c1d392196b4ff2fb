import type { Pool } from 'pg'
import { reportByMember, reportByModel, reportByTag, reportByTeam, reportOverview } from '#control/reports/reports.ts'
import { describeInsights } from '#control/usage/describe-insights.ts'
import { describeUsage } from '#control/usage/describe-usage.ts'
import { type AskedFilters, noFilters, type OpenedUsage } from '#control/usage/usage-scope.ts'
// Not an expectation: every period is measured.
import { insightsPeriods } from '#domain/usage/insights-period.ts'
import { rangeSoFar } from '#domain/usage/usage-period.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import { type DayRange, endOf, startOf } from '#lib/utc-calendar.ts'
import { createSpenders } from '#store/postgres/organizations/spenders.ts'
import { createPostgresUsageSubjects } from '#store/postgres/usage/postgres-usage-subjects.ts'
import { createPostgresUsage } from '#store/postgres/usage/postgres-usage.ts'
import { dayMs } from '#test/setup/day.ts'

/** A page with all its reads. */
export interface UsagePage {
  readonly name: string
  read(pool: Pool): Promise<unknown>
}

/** The subject of the pages and their time: `nowMs` is on the last day with requests. */
export interface PageSubject {
  readonly organizationId: string
  readonly walletId: string
  readonly keyId: string
  readonly memberId: string
  /** The most used model and app. */
  readonly model: string
  readonly app: string
  readonly nowMs: number
}

export function usagePages(subject: PageSubject): UsagePage[] {
  return [pageOfNothing(subject), ...pagesOfUsage(subject), ...pagesOfInsights(subject), ...pagesOfReports(subject)]
}

/** A read of one row by its key shows the machine's share of a duration. */
function pageOfNothing({ walletId }: PageSubject): UsagePage {
  return { name: 'one row of a wallet', read: (pool) => sumsOf(pool).subjects.readWallet(walletId) }
}

function pagesOfUsage({ walletId, keyId, memberId, nowMs }: PageSubject): UsagePage[] {
  const whole: UsageScope = { walletId, only: null }
  const year = rangeSoFar('year', nowMs)
  const lastDays = (count: number): DayRange => ({ startMs: year.endMs - count * dayMs, endMs: year.endMs })
  return [
    usagePage('day', whole, rangeSoFar('day', nowMs)),
    usagePage('day by hour', whole, rangeSoFar('day', nowMs), 'hour'),
    usagePage('week', whole, rangeSoFar('week', nowMs)),
    usagePage('7 days by hour', whole, lastDays(7), 'hour'),
    usagePage('month', whole, rangeSoFar('month', nowMs)),
    usagePage('year', whole, year),
    usagePage('custom, 45 days', whole, lastDays(45)),
    usagePage('custom, 400 days', whole, lastDays(400)),
    usagePage('year of one member', { walletId, only: { memberId } }, year),
    usagePage('year of one key', { walletId, only: { keyId } }, year),
  ]
}

function usagePage(name: string, scope: UsageScope, range: DayRange, granularity: 'day' | 'hour' = 'day'): UsagePage {
  return {
    name: `usage, ${name}`,
    read: (pool) => describeUsage(sumsOf(pool), openedUsage(scope), { range, granularity, filters: noFilters }),
  }
}

/** The usage as an org_admin opens it. */
function openedUsage(scope: UsageScope): OpenedUsage {
  return { ...scope, seesTeams: true, seesMembers: true }
}

function pagesOfInsights({ walletId, keyId, model, app, nowMs }: PageSubject): UsagePage[] {
  const choices: Record<string, AskedFilters> = {
    all: noFilters,
    'one model': { ...noFilters, model },
    'one key': { ...noFilters, apiKeyId: keyId },
    'one app': { ...noFilters, app },
    'one model, key and app': { ...noFilters, model, apiKeyId: keyId, app },
  }
  return insightsPeriods.flatMap((period) =>
    Object.entries(choices).map(([name, filters]) => ({
      name: `insights, ${period}, ${name}`,
      read: (pool) =>
        describeInsights(sumsOf(pool), { walletId, only: null }, { period, metric: 'spend', filters }, nowMs),
    })),
  )
}

function pagesOfReports({ organizationId, nowMs }: PageSubject): UsagePage[] {
  // The last complete month; the current one may have few days.
  const startMs = startOf('month', startOf('month', nowMs) - 1)
  const query = { organizationId, month: { startMs, endMs: endOf('month', startMs) } }
  return [
    { name: 'report, overview', read: (pool) => reportOverview(reportsOf(pool), query, nowMs) },
    { name: 'report, by team', read: (pool) => reportByTeam(reportsOf(pool), query) },
    { name: 'report, by model', read: (pool) => reportByModel(reportsOf(pool), query) },
    { name: 'report, by tag', read: (pool) => reportByTag(reportsOf(pool), query) },
    { name: 'report, by member', read: (pool) => reportByMember(reportsOf(pool), query) },
  ]
}

function sumsOf(pool: Pool) {
  return { usage: createPostgresUsage(pool), subjects: createPostgresUsageSubjects(pool) }
}

function reportsOf(pool: Pool) {
  return { ...sumsOf(pool), spenders: createSpenders(pool) }
}
