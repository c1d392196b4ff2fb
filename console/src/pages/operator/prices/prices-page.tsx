import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Tags, Undo2, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { catalogueHistoryQuery, type PricePlan, pricePlanQuery } from '../../../api/price-plans.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Section } from '../../../ui/facts.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { AnnouncementsSection } from './announcements-section.tsx'
import { summaryOf } from './change-words.ts'
import { ChangesList } from './changes-list.tsx'
import { historyColumns } from './history-columns.tsx'
import { ImpactCard } from './impact-card.tsx'

const PlanFileDialog = lazy(async () => ({ default: (await import('./plan-file-dialog.tsx')).PlanFileDialog }))
const ApproveDialog = lazy(async () => ({ default: (await import('./plan-dialogs.tsx')).ApproveDialog }))
const RejectDialog = lazy(async () => ({ default: (await import('./plan-dialogs.tsx')).RejectDialog }))
const UndoDialog = lazy(async () => ({ default: (await import('./plan-dialogs.tsx')).UndoDialog }))

/** Changes of models and prices: planned, applied by a person, and undone. */
export function PricesPage() {
  const [dialog, setDialog] = useState<'file' | 'undo' | null>(null)
  const plan = useQuery(pricePlanQuery)
  const mayChange = useMayOperate()('operators.catalogue')
  const onClose = () => setDialog(null)
  return (
    <Page
      title="Prices"
      description="Plan a change of models and prices, see which customers it affects, then apply it. You can undo it later."
      actions={
        mayChange ? (
          <>
            <Button icon={<Undo2 size={16} aria-hidden="true" />} onClick={() => setDialog('undo')}>
              Undo last import…
            </Button>
            <Button kind="primary" icon={<Upload size={16} aria-hidden="true" />} onClick={() => setDialog('file')}>
              Plan from file…
            </Button>
          </>
        ) : null
      }
    >
      <div className="flex flex-col gap-6">
        {plan.error !== null ? (
          <ErrorNote error={plan.error} onRetry={() => void plan.refetch()} />
        ) : plan.data === undefined ? (
          <Skeleton className="h-40 w-full" />
        ) : plan.data === null ? (
          <Card title="Plan">
            <p className="text-muted text-sm">
              No changes are planned. Upload a catalog file, or compare with public sources with{' '}
              <code className="font-mono text-xs">weir catalogue sync</code>.
            </p>
          </Card>
        ) : (
          <Plan key={plan.data.id} plan={plan.data} />
        )}
        <AnnouncementsSection />
        <Section title="History" level={2}>
          <History />
        </Section>
      </div>
      <Suspense fallback={null}>
        {dialog === 'file' ? <PlanFileDialog onClose={onClose} /> : null}
        {dialog === 'undo' ? <UndoDialog onClose={onClose} /> : null}
      </Suspense>
    </Page>
  )
}

function Plan({ plan }: { readonly plan: PricePlan }) {
  const mayChange = useMayOperate()('operators.catalogue')
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null)
  const onClose = () => setDialog(null)
  return (
    <div className="flex flex-col gap-4">
      <Card
        title={`Plan: ${summaryOf(plan.changes)}`}
        description={
          <>
            From {plan.sources.join(', ')}, <Time iso={plan.planned_at} />
          </>
        }
        aside={
          mayChange ? (
            <div className="flex shrink-0 gap-2">
              <Button size="small" onClick={() => setDialog('reject')}>
                Reject…
              </Button>
              <Button size="small" kind="primary" disabled={plan.stale} onClick={() => setDialog('approve')}>
                Apply…
              </Button>
            </div>
          ) : null
        }
      >
        {plan.stale ? (
          <p className="mb-4 text-sm text-warn">
            The catalog has changed since this plan. Plan again from the file or the sources.
          </p>
        ) : null}
        <ChangesList changes={plan.changes} />
      </Card>
      <ImpactCard plan={plan} />
      <Suspense fallback={null}>
        {dialog === 'approve' ? <ApproveDialog plan={plan} onClose={onClose} /> : null}
        {dialog === 'reject' ? <RejectDialog plan={plan} onClose={onClose} /> : null}
      </Suspense>
    </div>
  )
}

function History() {
  const history = usePagedRows(useInfiniteQuery(catalogueHistoryQuery))
  return (
    <DataTable
      name="catalogue-history"
      label="Catalog changes"
      columns={historyColumns}
      {...history}
      rowId={({ id }) => id}
      empty={
        <EmptyState icon={<Tags size={24} aria-hidden="true" />} title="No changes yet">
          Imports, approvals and undone imports appear here with their actor.
        </EmptyState>
      }
    />
  )
}
