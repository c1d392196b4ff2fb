import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { linkTo } from './link-to.ts'

/** A calendar month of an organization. */
export interface ReportOf {
  readonly orgId: string
  /** Such as `2026-11`. */
  readonly month: string
}

function paramsOf({ orgId, month: text }: ReportOf) {
  const [year = '', month = ''] = text.split('-')
  return { path: { orgId }, query: { year, month: String(Number(month)) } }
}

const keyOf = (view: string, { orgId, month }: ReportOf) => ['reports', orgId, view, month] as const

export function overviewReportQuery(of: ReportOf) {
  return queryOptions({
    queryKey: keyOf('overview', of),
    queryFn: () => dataOf(api.GET('/api/orgs/{orgId}/reports/overview', { params: paramsOf(of) })),
  })
}

const readTeams = (of: ReportOf) => dataOf(api.GET('/api/orgs/{orgId}/reports/by-team', { params: paramsOf(of) }))
export type TeamSpend = Awaited<ReturnType<typeof readTeams>>['teams'][number]

export function teamReportQuery(of: ReportOf) {
  return queryOptions({ queryKey: keyOf('by-team', of), queryFn: () => readTeams(of) })
}

const readModels = (of: ReportOf) => dataOf(api.GET('/api/orgs/{orgId}/reports/by-model', { params: paramsOf(of) }))
export type ModelSpend = Awaited<ReturnType<typeof readModels>>['models'][number]

export function modelReportQuery(of: ReportOf) {
  return queryOptions({ queryKey: keyOf('by-model', of), queryFn: () => readModels(of) })
}

const readMembers = (of: ReportOf) => dataOf(api.GET('/api/orgs/{orgId}/reports/by-member', { params: paramsOf(of) }))
export type MemberSpend = Awaited<ReturnType<typeof readMembers>>['members'][number]

export function memberReportQuery(of: ReportOf) {
  return queryOptions({ queryKey: keyOf('by-member', of), queryFn: () => readMembers(of) })
}

const readTags = (of: ReportOf) => dataOf(api.GET('/api/orgs/{orgId}/reports/by-tag', { params: paramsOf(of) }))
export type TagSpend = Awaited<ReturnType<typeof readTags>>['tags'][number]

export function tagReportQuery(of: ReportOf) {
  return queryOptions({ queryKey: keyOf('by-tag', of), queryFn: () => readTags(of) })
}

/** The URL of a report as a CSV file. */
export function reportLink(of: ReportOf, view: 'overview' | 'by-team' | 'by-model' | 'by-member' | 'by-tag'): string {
  const { path, query } = paramsOf(of)
  return linkTo('/api/orgs/{orgId}/reports/export', { path, query: { ...query, view } })
}
