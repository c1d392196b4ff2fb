import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type JobQueue, jobsQuery, type WorkerJobs } from '../../../api/operator-jobs.ts'
import { plural } from '../../../lib/plural.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tiles } from '../../../ui/tiles.tsx'
import { Time } from '../../../ui/time.tsx'
import { CustomerLink } from '../customer-link.tsx'
import { openCount, statesInWords } from './queue-words.ts'
import { RepeatButton } from './repeat-button.tsx'

/** What the workers have to do, and what failed. */
export function JobsPage() {
  const jobs = useQuery(jobsQuery)
  return (
    <Page title="Jobs" description="Videos in progress, and webhooks, emails and event sinks that workers deliver.">
      {jobs.error === null ? null : <ErrorNote error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.data !== undefined ? (
        <Shown jobs={jobs.data} />
      ) : jobs.error === null ? (
        <Skeleton className="h-96 w-full" />
      ) : null}
    </Page>
  )
}

function Shown({ jobs }: { readonly jobs: WorkerJobs }) {
  const failing = jobs.sinks.filter(({ failing_since: since }) => since !== null).length
  return (
    <>
      <Tiles
        tiles={[
          ['Videos in progress', openCount(jobs.videos).toLocaleString('en')],
          ['Webhooks to deliver', openCount(jobs.webhooks).toLocaleString('en')],
          ['Emails to send', openCount(jobs.mails).toLocaleString('en')],
          ['Failing event sinks', failing.toLocaleString('en')],
        ]}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <QueueCard title="Videos" queue={jobs.videos} none="No video is in progress.">
          {jobs.running_videos.map(({ id, customer, model, state, created_at: at, last_error: error }) => (
            <Item key={id} error={error} at={at} state={state}>
              <CustomerLink customer={customer} />
              <span className="text-muted">{model}</span>
            </Item>
          ))}
        </QueueCard>
        <QueueCard title="Webhooks" queue={jobs.webhooks} none="No delivery has failed.">
          {jobs.failed_webhooks.map(
            ({ id, customer, url, tries, created_at: at, next_try_at: next, last_error: error }) => (
              <Item
                key={id}
                error={error}
                at={at}
                next={next}
                state={plural(Number(tries), 'attempt')}
                act={<RepeatButton work={{ kind: 'webhook', id }} />}
              >
                <CustomerLink customer={customer} />
                <span className="min-w-0 break-all text-muted">{url}</span>
              </Item>
            ),
          )}
        </QueueCard>
        <QueueCard title="Emails" queue={jobs.mails} none="No email has failed.">
          {jobs.failed_mails.map(
            ({ id, to, subject, attempts, created_at: at, next_attempt_at: next, last_error: error }) => (
              <Item
                key={id}
                error={error}
                at={at}
                next={next}
                state={plural(Number(attempts), 'attempt')}
                act={next === null ? null : <RepeatButton work={{ kind: 'mail', id }} />}
                {...(next === null ? { note: "Text deleted, can't be sent again" } : {})}
              >
                <span>{to ?? 'Address not stored'}</span>
                <span className="text-muted">{subject}</span>
              </Item>
            ),
          )}
        </QueueCard>
        <SinksCard sinks={jobs.sinks} />
      </div>
    </>
  )
}

function QueueCard({
  title,
  queue,
  none,
  children,
}: {
  readonly title: string
  readonly queue: JobQueue
  readonly none: string
  readonly children: readonly ReactNode[]
}) {
  return (
    <Card
      title={title}
      description={statesInWords(queue)}
      aside={
        queue.oldest_at === null ? null : (
          <span className="shrink-0 text-muted text-xs">
            oldest <Time iso={queue.oldest_at} />
          </span>
        )
      }
    >
      {children.length === 0 ? <p className="text-muted text-sm">{none}</p> : null}
      <ul className="flex flex-col gap-3 text-sm empty:hidden">{children}</ul>
    </Card>
  )
}

function Item({
  at,
  next,
  state,
  error,
  act = null,
  note = '',
  children,
}: {
  readonly at: string
  /** Null if there are no further attempts. */
  readonly next?: string | null
  readonly state: string
  readonly error: string | null
  readonly act?: ReactNode
  readonly note?: string
  readonly children: ReactNode
}) {
  return (
    <li className="border-line border-b pb-3 last:border-b-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
          {children}
          <span className="text-muted text-xs">
            {state}, <Time iso={at} />
          </span>
          {next === null ? <Badge tone="bad">Given up</Badge> : null}
          <span className="text-muted text-xs">{note}</span>
        </p>
        {act}
      </div>
      {error === null ? null : <p className="mt-1 break-words font-mono text-muted text-xs">{error}</p>}
    </li>
  )
}

function SinksCard({ sinks }: { readonly sinks: WorkerJobs['sinks'] }) {
  return (
    <Card title="Event sinks" description="Settled requests that are exported to other systems.">
      {sinks.length === 0 ? <p className="text-muted text-sm">No event sink is configured.</p> : null}
      <ul className="flex flex-col gap-3 text-sm empty:hidden">
        {sinks.map(
          ({ name, waiting, waiting_is_more: isMore, last_sent_at: sent, failing_since: since, last_error: error }) => (
            <li key={name}>
              <div className="flex items-start justify-between gap-3">
                <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
                  <span className="font-medium">{name}</span>
                  <span className="text-muted text-xs">
                    {isMore ? 'more than ' : ''}
                    {Number(waiting).toLocaleString('en')} waiting,{' '}
                    {sent === null ? (
                      'never sent'
                    ) : (
                      <>
                        last sent <Time iso={sent} />
                      </>
                    )}
                  </span>
                  {since === null ? (
                    <Badge tone="good">OK</Badge>
                  ) : (
                    <Badge tone="bad">
                      Failing since <Time iso={since} absolute />
                    </Badge>
                  )}
                </p>
                {since === null ? null : <RepeatButton work={{ kind: 'sink', id: name }} />}
              </div>
              {error === null ? null : <p className="mt-1 break-words font-mono text-muted text-xs">{error}</p>}
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}
