import type { TSchema } from 'typebox'
import type { ReportDeps, ReportQuery } from '#control/reports/report-deps.ts'
import { reportByMember, reportByModel, reportByTag, reportByTeam, reportOverview } from '#control/reports/reports.ts'
import { type CalendarMonth, rangeOfMonth } from '#lib/utc-calendar.ts'
import { type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { parseOptionalMonth, parseReportMonth, type ReportView } from './parse-report-query.ts'
import { renderMembers, renderModels, renderOverview, renderTags, renderTeams } from './render-reports.ts'
import { reportExportEndpoint } from './report-export-endpoint.ts'
import {
  byMemberSchema,
  byModelSchema,
  byTagSchema,
  byTeamSchema,
  monthQuerySchema,
  optionalMonthQuerySchema,
  overviewSchema,
} from './report-schema.ts'

const common = { method: 'GET', tag: 'Organizations', errors: ['malformedRequest'] } as const

/** The spend of an organization in a calendar month. */
export function reportEndpoints(deps: ReportDeps): Endpoint[] {
  return [
    {
      ...common,
      ...named('overview', 'getOverviewReport', overviewSchema),
      summary: 'Get monthly spend by day',
      access: 'reports.read',
      query: optionalMonthQuerySchema,
      handle: async (request) => {
        const query = queryOf(request, parseOptionalMonth(request.query, request.nowMs))
        return { body: renderOverview(await reportOverview(deps, query, request.nowMs)) }
      },
    },
    {
      ...common,
      ...named('by-team', 'getTeamReport', byTeamSchema),
      summary: 'Get monthly spend by team and model',
      access: 'reports.read',
      query: optionalMonthQuerySchema,
      handle: async (request) => {
        const query = queryOf(request, parseOptionalMonth(request.query, request.nowMs))
        return { body: renderTeams(await reportByTeam(deps, query)) }
      },
    },
    {
      ...common,
      ...named('by-model', 'getModelReport', byModelSchema),
      summary: 'Get monthly spend by model',
      access: 'reports.read',
      query: monthQuerySchema,
      handle: async (request) => {
        const query = queryOf(request, parseReportMonth(request.query))
        return { body: renderModels(await reportByModel(deps, query)) }
      },
    },
    {
      ...common,
      ...named('by-tag', 'getTagReport', byTagSchema),
      summary: 'Get monthly spend by tag',
      access: 'reports.read',
      query: monthQuerySchema,
      handle: async (request) => {
        const query = queryOf(request, parseReportMonth(request.query))
        return { body: renderTags(await reportByTag(deps, query)) }
      },
    },
    {
      ...common,
      ...named('by-member', 'getMemberReport', byMemberSchema),
      summary: 'Get monthly spend by member',
      access: 'reports.members',
      query: monthQuerySchema,
      handle: async (request) => {
        const query = queryOf(request, parseReportMonth(request.query))
        return { body: renderMembers(await reportByMember(deps, query)) }
      },
    },
    reportExportEndpoint(deps),
  ]
}

function named(view: ReportView, name: string, schema: TSchema): Pick<Endpoint, 'name' | 'paths' | 'reply'> {
  const paths = [`/api/orgs/:orgId/reports/${view}`]
  return { name, paths, reply: { status: 200, description: 'The report.', schema } }
}

function queryOf(request: EndpointRequest, month: CalendarMonth): ReportQuery {
  return { organizationId: organizationOf(request).organizationId, month: rangeOfMonth(month) }
}
