import { getRouteApi } from '@tanstack/react-router'
import { Download, Printer } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { reportLink } from '../../api/reports.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { monthName, utcMonth } from '../../lib/utc-days.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { MonthPicker } from '../../ui/month-picker.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { PrintedReport } from './printed-report.tsx'
import { reportColumns } from './report-columns.tsx'
import { totalOf } from './report-lines.ts'
import { ReportSummary } from './report-summary.tsx'
import { type ReportsSearch, type ReportView, reportViews } from './search.ts'
import { useIsPrinting } from './use-is-printing.ts'
import { useReport } from './use-report.ts'

const route = getRouteApi('/app/reports')

const viewWords = {
  members: 'By person',
  teams: 'By team',
  models: 'By model',
  'cost-centers': 'By cost center',
  tags: 'By tag',
  days: 'By day',
} as const satisfies Record<ReportView, string>

/** Files of the API. Cost centers are added up in the browser, and their table exports them. */
const files = { members: 'by-member', teams: 'by-team', models: 'by-model', tags: 'by-tag', days: 'overview' } as const

/** What an organization spent in a month, by person, team, model, cost center, tag or day. */
export function ReportsPage() {
  const wallet = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [today] = useState(() => utcMonth(Date.now()))
  // Only administrators may see who spent what.
  const views = reportViews.filter((one) => one !== 'members' || mayAct(wallet, 'reports.members'))
  const view = views.find((one) => one === search.view) ?? views[0] ?? 'teams'
  const of = { orgId: wallet.organizationId, month: search.month ?? today }
  const isPrinting = useIsPrinting()
  const change = (next: ReportsSearch) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true })
  return (
    <Page
      title={isPrinting ? `${wallet.name}: spend ${viewWords[view].toLowerCase()}, ${monthName(of.month)}` : 'Reports'}
      description={isPrinting ? undefined : `Spend of ${wallet.name} by calendar month (UTC).`}
      actions={
        isPrinting ? undefined : (
          <>
            <MonthPicker month={of.month} today={today} onChange={(month) => change({ month })} />
            {view === 'cost-centers' ? null : (
              <a className={buttonClass()} href={reportLink(of, files[view])} download>
                <Download size={16} aria-hidden="true" />
                Export CSV
              </a>
            )}
            <Button icon={<Printer size={16} aria-hidden="true" />} onClick={() => print()}>
              Print
            </Button>
          </>
        )
      }
    >
      <ReportSummary of={of} />
      {isPrinting ? (
        <Report of={of} view={view} isPrinted />
      ) : (
        <Tabs
          label="Report"
          value={view}
          onChange={(next) => {
            const chosen = views.find((one) => one === next)
            if (chosen !== undefined) change({ view: chosen })
          }}
          tabs={views.map((one) => ({
            id: one,
            label: viewWords[one],
            content: one === view ? <Report of={of} view={one} isPrinted={false} /> : null,
          }))}
        />
      )}
    </Page>
  )
}

function Report({
  of,
  view,
  isPrinted,
}: {
  readonly of: { readonly orgId: string; readonly month: string }
  readonly view: ReportView
  readonly isPrinted: boolean
}) {
  const { lines, error, retry } = useReport(of, view)
  const total = useMemo(() => totalOf(lines ?? []), [lines])
  const columns = useMemo(() => reportColumns(view, of.month, total.spend), [view, of.month, total.spend])
  // Lines of tags do not add up: a request can have several.
  const footer: Readonly<Record<string, ReactNode>> | undefined =
    view === 'tags'
      ? undefined
      : {
          name: 'Total',
          spend: <Money nano={total.spend} />,
          requests: total.requests.toLocaleString('en'),
          tokens: total.tokens.toLocaleString('en'),
        }
  if (isPrinted) return <PrintedReport columns={columns} lines={lines ?? []} footer={footer ?? {}} />
  return (
    <DataTable
      name={`report-${view}`}
      label={viewWords[view]}
      columns={columns}
      rows={lines}
      rowId={({ id }) => id}
      error={error}
      onRetry={retry}
      footer={lines === undefined ? undefined : footer}
      empty={
        view === 'tags' ? (
          <EmptyState title="No requests with tags in this month">
            Send the X-Weir-Tags header with requests to see their spend here.
          </EmptyState>
        ) : (
          <EmptyState title="No spend in this month">Requests appear here within seconds.</EmptyState>
        )
      }
    />
  )
}
