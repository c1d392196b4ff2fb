import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approvePricePlan,
  type Doubtful,
  type PricePlan,
  rejectPricePlan,
  undoImport,
  undoQuery,
} from '../../../api/price-plans.ts'
import { plural } from '../../../lib/plural.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { CheckField, SelectField } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { summaryOf } from './change-words.ts'
import { ChangesList } from './changes-list.tsx'

interface PlanDialogProps {
  readonly plan: PricePlan
  readonly onClose: () => void
}

/** Runs a change of the catalog, then reads the plan, the history and the models again. */
function useCatalogueChange<Input>(act: (input: Input) => Promise<unknown>, done: string, onClose: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      onClose()
      toast(done)
      await client.invalidateQueries({ queryKey: ['operator', 'catalogue'] })
    },
  })
}

const doubtChoices = [
  { value: 'skip', label: 'Leave the models with doubtful changes as they are' },
  { value: 'confirm', label: 'Apply all changes, also the doubtful ones' },
]

/** Applies the plan that the operator sees, or fails if the catalog has changed since. */
export function ApproveDialog({ plan, onClose }: PlanDialogProps) {
  const hasDoubts = plan.changes.some(({ doubt }) => doubt !== null)
  const [doubtful, setDoubtful] = useState<Doubtful>(hasDoubts ? 'skip' : 'refuse')
  const [announce, setAnnounce] = useState(true)
  const approval = { planId: plan.id, doubtful, announce }
  const approving = useCatalogueChange(() => approvePricePlan(approval), 'Changes applied.', onClose)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Apply these changes?"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" isBusy={approving.isPending} onClick={() => approving.mutate(undefined)}>
            Apply changes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        {approving.error === null ? null : <ErrorNote error={approving.error} />}
        <p>
          {summaryOf(plan.changes)}. {usedBy(plan.customers.length)} New requests pay the new prices within a second.
          You can undo this.
        </p>
        {hasDoubts ? (
          <SelectField
            label="Doubtful changes"
            choices={doubtChoices}
            value={doubtful}
            onChange={({ target }) => setDoubtful(target.value === 'confirm' ? 'confirm' : 'skip')}
          />
        ) : null}
        <AnnounceField announcement={plan.announcement} checked={announce} onChange={setAnnounce} />
      </div>
    </Dialog>
  )
}

/** Whom the change tells. Nothing to choose if no customer uses the models. */
function AnnounceField({
  announcement: { customers, models },
  checked,
  onChange,
}: {
  readonly announcement: PricePlan['announcement']
  readonly checked: boolean
  readonly onChange: (isChecked: boolean) => void
}) {
  if (Number(customers) === 0) return <p className="text-muted">No customer needs to be told.</p>
  return (
    <CheckField
      label={`Tell ${plural(Number(customers), 'customer')} by email and in the console`}
      hint={`About changed prices and retirement dates of ${plural(Number(models), 'model')}. Customers see only models that they used in the last 30 days.`}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

function usedBy(customers: number): string {
  if (customers === 0) return 'No customer used these prices in the last 30 days.'
  return `${plural(customers, 'customer')} used these prices in the last 30 days.`
}

export function RejectDialog({ plan, onClose }: PlanDialogProps) {
  const rejecting = useCatalogueChange(() => rejectPricePlan(plan.id), 'Plan rejected.', onClose)
  return (
    <ConfirmDialog
      title="Reject this plan?"
      text={`${summaryOf(plan.changes)}. Nothing changes, and the plan is deleted.`}
      act="Reject plan"
      mutation={{ ...rejecting, mutate: () => rejecting.mutate(undefined) }}
      onClose={onClose}
    />
  )
}

/** Shows what undoing the last import would change, and undoes exactly that. */
export function UndoDialog({ onClose }: { readonly onClose: () => void }) {
  const [announce, setAnnounce] = useState(true)
  const undo = useQuery(undoQuery)
  const undoing = useCatalogueChange(
    (importId: string) => undoImport({ importId, announce }),
    'Import undone.',
    onClose,
  )
  const shown = undo.data
  const error = undo.error ?? undoing.error
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title="Undo the last import"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {shown === undefined || shown === null ? null : (
            <Button kind="danger" isBusy={undoing.isPending} onClick={() => undoing.mutate(shown.import_id)}>
              Undo import
            </Button>
          )}
        </>
      }
    >
      {error === null ? null : <ErrorNote error={error} />}
      {undo.error !== null ? null : shown === undefined ? (
        <Skeleton className="h-40 w-full" />
      ) : shown === null ? (
        <p className="text-muted text-sm">There is no import to undo.</p>
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-sm">
            The last import or approval was <Time iso={shown.imported_at} />. Undoing it makes{' '}
            {summaryOf(shown.plan.changes)}.
          </p>
          <ChangesList changes={shown.plan.changes} />
          <div className="text-sm">
            <AnnounceField announcement={shown.plan.announcement} checked={announce} onChange={setAnnounce} />
          </div>
        </div>
      )}
    </Dialog>
  )
}
