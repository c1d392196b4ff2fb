import { Type } from 'typebox'
import { requireRole } from '#control/access/open-organization.ts'
import type { ReportDeps, ReportQuery } from '#control/reports/report-deps.ts'
import { reportByMember, reportByModel, reportByTag, reportByTeam, reportOverview } from '#control/reports/reports.ts'
import { accessRowOf } from '#domain/access/access-table.ts'
import { dateOf, rangeOfMonth } from '#lib/utc-calendar.ts'
import { clientOf, type Endpoint, organizationOf } from '../endpoint.ts'
import { parseReportMonth, parseReportView, type ReportView } from './parse-report-query.ts'
import { dayColumns, memberColumns, modelColumns, reportCsv, tagColumns, teamColumns } from './report-columns.ts'
import { reportExportQuerySchema } from './report-schema.ts'

/**
 * Every report as a file. The requested report decides the required role, because not every role may see the spend of
 * members.
 */
export function reportExportEndpoint(deps: ReportDeps): Endpoint {
  return {
    name: 'exportReport',
    method: 'GET',
    paths: ['/api/orgs/:orgId/reports/export'],
    tag: 'Organizations',
    summary: 'Download a report as CSV',
    description: 'The report by member requires an organization admin.',
    access: 'reports.read',
    query: reportExportQuerySchema,
    reply: {
      status: 200,
      description: 'The report as CSV. Only organization admins can download `by-member`.',
      schema: Type.String(),
      contentTypes: ['text/csv'],
    },
    errors: ['malformedRequest'],
    handle: async (request) => {
      const { organizationId, membership } = organizationOf(request)
      const view = parseReportView(request.query)
      if (view === 'by-member') requireRole(accessRowOf('reports.members'), clientOf(request), membership)
      const month = rangeOfMonth(parseReportMonth(request.query))
      const chunks = await readCsv(deps, view, { organizationId, month }, request.nowMs)
      const fileName = `report-${view}-${dateOf(month.startMs).slice(0, 7)}.csv`
      const headers = { 'content-disposition': `attachment; filename="${fileName}"` }
      return { headers, stream: { contentType: 'text/csv; charset=utf-8', chunks } }
    },
  }
}

async function readCsv(
  deps: ReportDeps,
  view: ReportView,
  query: ReportQuery,
  nowMs: number,
): Promise<AsyncIterable<string>> {
  switch (view) {
    case 'overview':
      return reportCsv(dayColumns, (await reportOverview(deps, query, nowMs)).days)
    case 'by-team':
      return reportCsv(teamColumns, await reportByTeam(deps, query))
    case 'by-model':
      return reportCsv(modelColumns, await reportByModel(deps, query))
    case 'by-member':
      return reportCsv(memberColumns, await reportByMember(deps, query))
    case 'by-tag':
      return reportCsv(tagColumns, await reportByTag(deps, query))
  }
}
