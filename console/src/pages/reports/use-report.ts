import { useQuery } from '@tanstack/react-query'
import {
  memberReportQuery,
  modelReportQuery,
  overviewReportQuery,
  type ReportOf,
  tagReportQuery,
  teamReportQuery,
} from '../../api/reports.ts'
import {
  costCenterLines,
  dayLines,
  memberLines,
  modelLines,
  type ReportLine,
  tagLines,
  teamLines,
} from './report-lines.ts'
import type { ReportView } from './search.ts'

interface ReportResult {
  /** Undefined while loading. */
  readonly lines: readonly ReportLine[] | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** The lines of a view. Teams and cost centers share one read. */
export function useReport(of: ReportOf, view: ReportView): ReportResult {
  const overview = useQuery({ ...overviewReportQuery(of), enabled: view === 'days' })
  const members = useQuery({ ...memberReportQuery(of), enabled: view === 'members' })
  const models = useQuery({ ...modelReportQuery(of), enabled: view === 'models' })
  const teams = useQuery({ ...teamReportQuery(of), enabled: view === 'teams' || view === 'cost-centers' })
  const tags = useQuery({ ...tagReportQuery(of), enabled: view === 'tags' })
  switch (view) {
    case 'members':
      return resultOf(members, ({ members: rows }) => memberLines(rows))
    case 'teams':
      return resultOf(teams, ({ teams: rows }) => teamLines(rows))
    case 'models':
      return resultOf(models, ({ models: rows }) => modelLines(rows))
    case 'cost-centers':
      return resultOf(teams, ({ teams: rows }) => costCenterLines(rows))
    case 'tags':
      return resultOf(tags, ({ tags: rows }) => tagLines(rows))
    case 'days':
      return resultOf(overview, ({ dailyTrend }) => dayLines(dailyTrend))
  }
}

function resultOf<Data>(
  query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown },
  linesOf: (data: Data) => ReportLine[],
): ReportResult {
  const { data, error, refetch } = query
  return { lines: data === undefined ? undefined : linesOf(data), error, retry: () => void refetch() }
}
