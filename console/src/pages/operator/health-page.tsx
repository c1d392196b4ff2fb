import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleHelp, OctagonAlert, TriangleAlert } from 'lucide-react'
import { type Finding, type Health, healthQuery } from '../../api/operator-health.ts'
import { useMayOperate } from '../../app/use-operator.ts'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { orderFindings, summaryOf } from './order-findings.ts'

/** What `weir status` and `weir doctor` find, polled. */
export function HealthPage() {
  const health = useQuery(healthQuery)
  return (
    <Page
      title="Health"
      description="Processes, providers, queues, ledger and disks, as seen by the gateway that serves this page."
    >
      {health.error === null ? null : <ErrorNote error={health.error} onRetry={() => void health.refetch()} />}
      {health.data === undefined ? (
        health.error === null ? (
          <Skeleton className="h-96 w-full" />
        ) : null
      ) : (
        <Found health={health.data} />
      )}
    </Page>
  )
}

function Found({ health: { status, doctor, failing_providers: failing } }: { readonly health: Health }) {
  return (
    <div className="flex flex-col gap-4">
      <FailingProviders failing={failing} />
      <Report title="Status" report={status} />
      <Report title="Installation" report={doctor} />
    </div>
  )
}

function FailingProviders({ failing }: { readonly failing: Health['failing_providers'] }) {
  if (failing.length === 0) {
    return (
      <Card title="Providers">
        <p className="flex items-center gap-2 text-sm">
          <CircleCheck size={16} aria-hidden="true" className="shrink-0 text-good" />
          No provider account is failing.
        </p>
      </Card>
    )
  }
  return (
    <Card title={plural(failing.length, 'failing provider')}>
      <ul className="flex flex-col gap-4">
        {failing.map(({ account, vendor, since, reason, models, gateways }) => (
          <li key={account} data-failing={account} className="flex flex-col gap-1 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone="bad">Failing</Badge>
              <Link
                to="/operator/providers/$accountName"
                params={{ accountName: account }}
                className="font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-accent"
              >
                {account}
              </Link>
              {account === vendor ? null : <span className="text-muted">{vendor}</span>}
              <span>
                since <Time iso={since} absolute /> (<Time iso={since} />)
              </span>
            </p>
            <p className="break-words">
              {reason}, on {plural(Number(gateways), 'gateway')}: {models.join(', ')}
            </p>
            <Advice advice={`weir provider test ${account}`} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Report({ title, report }: { readonly title: string; readonly report: Health['status'] }) {
  const counts = {
    faults: Number(report.faults),
    warnings: Number(report.warnings),
    unknown: Number(report.unknown),
  }
  return (
    <Card
      title={title}
      aside={
        <span className="text-muted text-xs">
          {summaryOf(counts)} · checked <Time iso={report.checked_at} />
        </span>
      }
    >
      <ul className="flex flex-col gap-2.5">
        {orderFindings(report.findings).map((finding) => (
          <FindingRow key={`${finding.what} ${finding.says}`} finding={finding} />
        ))}
      </ul>
    </Card>
  )
}

const marks = {
  ok: { icon: CircleCheck, label: 'OK', tone: 'text-good' },
  unknown: { icon: CircleHelp, label: 'Unknown', tone: 'text-muted' },
  warning: { icon: TriangleAlert, label: 'Warning', tone: 'text-warn' },
  fault: { icon: OctagonAlert, label: 'Fault', tone: 'text-bad' },
} as const

function FindingRow({ finding: { what, state, says, advice } }: { readonly finding: Finding }) {
  const { icon: Icon, label, tone } = marks[state]
  return (
    <li data-finding={what} data-state={state} className="flex gap-3 text-sm">
      <span className={`flex w-24 shrink-0 items-center gap-1.5 self-start ${tone}`}>
        <Icon size={16} aria-hidden="true" />
        <span className="font-medium text-xs">{label}</span>
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-x-4 sm:flex-row">
        <span className="shrink-0 text-muted sm:w-40">
          <Subject what={what} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="break-words">{says}</p>
          {advice === null ? null : <Advice advice={advice} />}
        </div>
      </div>
    </li>
  )
}

/** Where an operator goes on from a finding. */
const pages = {
  backlog: ['/operator/jobs', 'operators.jobs.read'],
  circuits: ['/operator/providers', 'operators.providers.read'],
  routing: ['/operator/routes', 'operators.routes.read'],
  brake: ['/operator/brake', 'operators.brake.read'],
} as const

function Subject({ what }: { readonly what: string }) {
  const mayOperate = useMayOperate()
  const known = Object.keys(pages).find((name): name is keyof typeof pages => name === what)
  if (known === undefined || !mayOperate(pages[known][1])) return what
  return (
    <Link to={pages[known][0]} className="underline decoration-line-strong underline-offset-4 hover:decoration-accent">
      {what}
    </Link>
  )
}

/** A command can be copied, any other advice is a sentence. */
function Advice({ advice }: { readonly advice: string }) {
  if (!/^weir [a-z -]+\S*$/.test(advice)) return <p className="mt-0.5 text-muted text-xs">{advice}</p>
  return (
    <p className="mt-0.5 flex items-center gap-1 text-muted text-xs">
      <code className="break-all font-mono">{advice}</code>
      <CopyButton text={advice} label={`Copy ${advice}`} />
    </p>
  )
}
