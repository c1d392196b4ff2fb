import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type EvidenceListing, evidenceQuery, openEvidence } from '../../../api/operator-jobs.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/column.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Page } from '../../../ui/page.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { CustomerLink } from '../customer-link.tsx'

/** Prompts that moderation has blocked. Their text is shown one by one, and each look is recorded. */
export function EvidencePage() {
  const [opened, setOpened] = useState<EvidenceListing | null>(null)
  const evidence = usePagedRows(useInfiniteQuery(evidenceQuery))
  return (
    <Page
      title="Blocked prompts"
      description="Prompts that moderation has blocked. The audit log names each operator who reads one."
    >
      <DataTable
        name="evidence"
        label="Blocked prompts"
        columns={columnsWith(setOpened)}
        {...evidence}
        rowId={({ id }) => id}
        empty={
          <EmptyState icon={<ShieldAlert size={24} aria-hidden="true" />} title="No blocked prompts">
            Prompts that moderation blocks appear here until their retention ends.
          </EmptyState>
        }
      />
      {opened === null ? null : <PromptDialog of={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

/** The text is in this component only, and is gone when it closes. */
function PromptDialog({ of, onClose }: { readonly of: EvidenceListing; readonly onClose: () => void }) {
  const { data, error, mutate } = useMutation({ mutationFn: openEvidence, gcTime: 0 })
  useEffect(() => mutate(of.id), [mutate, of.id])
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title="Blocked prompt"
      description={`${of.model}, blocked for ${of.categories.join(', ')}`}
    >
      {error === null ? null : <ErrorNote error={error} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-32 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-3 text-sm">
          {data.parts.map(({ text, start, content }) => (
            <section key={`${text} ${start}`} aria-label={`Text ${Number(text) + 1}`}>
              <h3 className="mb-1 text-muted text-xs">
                Text {Number(text) + 1}
                {Number(start) === 0 ? '' : `, from character ${(Number(start) + 1).toLocaleString('en')}`}
              </h3>
              <p className="whitespace-pre-wrap break-words rounded-md bg-raised p-3 font-mono text-xs">{content}</p>
            </section>
          ))}
          {data.partial ? <p className="text-muted text-xs">The rest was too long to store.</p> : null}
        </div>
      )}
    </Dialog>
  )
}

function columnsWith(onOpen: (evidence: EvidenceListing) => void): readonly Column<EvidenceListing>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      cell: ({ at }) => <Time iso={at} />,
      csv: ({ at }) => at,
      width: 120,
      onPhone: 'figure',
    },
    {
      id: 'customer',
      header: 'Customer',
      cell: ({ customer }) => <CustomerLink customer={customer} />,
      csv: ({ customer }) => customer?.name ?? '',
      onPhone: 'title',
    },
    {
      id: 'key',
      header: 'API key',
      cell: ({ key_name: name, key_shown: shown }) => <span title={shown ?? ''}>{name ?? 'Deleted'}</span>,
      csv: ({ key_name: name }) => name ?? '',
      width: 150,
    },
    {
      id: 'model',
      header: 'Model',
      cell: ({ model }) => <span title={model}>{model}</span>,
      csv: ({ model }) => model,
      onPhone: 'figure',
    },
    {
      id: 'categories',
      header: 'Categories',
      cell: ({ categories }) => (
        <span className="inline-flex gap-1">
          {categories.map((category) => (
            <Badge key={category} tone="warn">
              {category}
            </Badge>
          ))}
        </span>
      ),
      csv: ({ categories }) => categories.join(' '),
      onPhone: 'figure',
    },
    {
      id: 'until',
      header: 'Kept until',
      cell: ({ kept_until: until }) => until.slice(0, 10),
      csv: ({ kept_until: until }) => until,
      width: 120,
    },
    {
      id: 'open',
      header: 'Actions',
      cell: (evidence) => (
        <Button size="small" onClick={() => onOpen(evidence)}>
          Show text
        </Button>
      ),
      align: 'right',
      width: 130,
    },
  ]
}
