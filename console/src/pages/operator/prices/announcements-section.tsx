import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { type Announcement, announcementsQuery, toldCustomersQuery } from '../../../api/announcements.ts'
import { plural } from '../../../lib/plural.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/column.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Section } from '../../../ui/facts.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { CustomerLink } from '../customer-link.tsx'

const kinds = { change: 'Change', reminder: 'Retirement reminder' } as const

const columns: readonly Column<Announcement>[] = [
  {
    id: 'time',
    header: 'Time',
    cell: ({ created_at: at }) => <Time iso={at} />,
    csv: ({ created_at: at }) => at,
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'kind',
    header: 'Type',
    cell: ({ kind }) => kinds[kind],
    csv: ({ kind }) => kind,
    width: 170,
    onPhone: 'title',
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ finished_at: at }) => (at === null ? <Badge tone="accent">Sending</Badge> : <Badge>Sent</Badge>),
    csv: ({ finished_at: at }) => at ?? '',
    width: 100,
  },
  {
    id: 'customers',
    header: 'Customers',
    cell: ({ customers }) => Number(customers).toLocaleString('en'),
    csv: ({ customers }) => String(customers),
    align: 'right',
    width: 110,
    onPhone: 'figure',
  },
  {
    id: 'emails',
    header: 'Emails',
    cell: ({ emails }) => Number(emails).toLocaleString('en'),
    csv: ({ emails }) => String(emails),
    align: 'right',
    width: 90,
    onPhone: 'figure',
  },
  {
    id: 'models',
    header: 'Models',
    cell: ({ models }) => <span title={models.join(', ')}>{models.join(', ')}</span>,
    csv: ({ models }) => models.join(', '),
  },
]

/** What customers were told about changed prices and retirements, and which customers. */
export function AnnouncementsSection() {
  const announcements = useQuery(announcementsQuery)
  const [opened, setOpened] = useState<Announcement | null>(null)
  return (
    <Section title="Announcements" level={2}>
      <DataTable
        name="announcements"
        label="Announcements to customers"
        columns={columns}
        rows={announcements.data}
        error={announcements.error}
        onRetry={() => void announcements.refetch()}
        rowId={({ id }) => id}
        onOpen={setOpened}
        empty={
          <EmptyState icon={<Megaphone size={24} aria-hidden="true" />} title="No announcements yet">
            Changed prices and retirement dates appear here with the customers that were notified.
          </EmptyState>
        }
      />
      {opened === null ? null : <ToldDialog announcement={opened} onClose={() => setOpened(null)} />}
    </Section>
  )
}

function ToldDialog({ announcement, onClose }: { readonly announcement: Announcement; readonly onClose: () => void }) {
  const { rows, error, onRetry, hasMore, onMore } = usePagedRows(useInfiniteQuery(toldCustomersQuery(announcement.id)))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Notified customers"
      description={`${plural(Number(announcement.customers), 'customer')}, ${plural(Number(announcement.emails), 'email')}, ${plural(Number(announcement.model_count), 'model')}`}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {error === null ? null : <ErrorNote error={error} onRetry={onRetry} />}
      {rows === undefined ? (
        error === null ? (
          <Skeleton className="h-40 w-full" />
        ) : null
      ) : rows.length === 0 ? (
        <p className="text-muted text-sm">No customer was notified.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line text-sm">
          {rows.map(({ wallet_id: id, customer, emails, told_at: at, models }) => (
            <li key={id} className="py-2">
              <div className="flex flex-wrap items-baseline gap-x-3">
                <span className="min-w-0 flex-1 break-words">
                  <CustomerLink customer={customer} />
                </span>
                <span className="figures text-muted">{plural(Number(emails), 'email')}</span>
                <Time iso={at} />
              </div>
              <p className="break-words font-mono text-muted text-xs">{models.join(', ')}</p>
            </li>
          ))}
        </ul>
      )}
      {hasMore ? (
        <div className="mt-3">
          <Button size="small" onClick={onMore}>
            Show more
          </Button>
        </div>
      ) : null}
    </Dialog>
  )
}
