import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import {
  changeInstitutionKey,
  deleteInstitutionKey,
  type InstitutionKey,
  institutionKeysQuery,
} from '../../api/institutions.ts'
import { useOrganization } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { InstitutionDialog } from './institution-dialog.tsx'
import { InstitutionFacts } from './institution-facts.tsx'
import { NoMailNote } from './no-mail-note.tsx'
import { SessionTable } from './session-table.tsx'

/** One institution key: its terms, its sessions and its actions. */
export function InstitutionPage() {
  const { keyId } = useParams({ from: '/app/institutions/$keyId' })
  const { organizationId } = useOrganization()
  const keys = useQuery(institutionKeysQuery(organizationId))
  const key = keys.data?.data.find(({ id }) => id === keyId)
  return (
    <Page
      title={key?.name ?? 'Institution key'}
      description={
        <Link to="/institutions" className="inline-flex items-center gap-1 rounded hover:underline">
          <ChevronLeft size={14} aria-hidden="true" />
          Institution keys
        </Link>
      }
      actions={key === undefined ? undefined : <Actions organizationId={organizationId} of={key} />}
    >
      <NoMailNote />
      {keys.error === null ? null : <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data === undefined ? (
        keys.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : key === undefined ? (
        <EmptyState title="Institution key not found">It was deleted or belongs to another organization.</EmptyState>
      ) : (
        <>
          <InstitutionFacts of={key} />
          <h2 className="mt-6 mb-2 font-semibold text-sm">Sessions</h2>
          <SessionTable organizationId={organizationId} keyId={keyId} />
        </>
      )}
    </Page>
  )
}

function Actions({ organizationId, of: key }: { readonly organizationId: string; readonly of: InstitutionKey }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const refresh = () => client.invalidateQueries({ queryKey: institutionKeysQuery(organizationId).queryKey })
  const change = useMutation({
    mutationFn: () => changeInstitutionKey(organizationId, key.id, { enabled: !key.enabled }),
    onSuccess: async () => {
      toast(key.enabled ? `${key.name} disabled.` : `${key.name} enabled.`)
      await refresh()
    },
    onError: toastError,
  })
  const removal = useMutation({
    mutationFn: () => deleteInstitutionKey(organizationId, key.id),
    onSuccess: async () => {
      toast(`${key.name} deleted.`)
      await navigate({ to: '/institutions' })
      await refresh()
    },
  })
  return (
    <>
      <Button onClick={() => setAsked('delete')}>Delete…</Button>
      <Button isBusy={change.isPending} onClick={() => change.mutate()}>
        {key.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button kind="primary" onClick={() => setAsked('edit')}>
        Edit…
      </Button>
      {asked === 'edit' ? <InstitutionDialog organizationId={organizationId} of={key} onClose={close} /> : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${key.name}?`}
          text={`${plural(Number(key.activeSessions), 'live session')} will end at once, and people can no longer sign in with this key. You can't undo this.`}
          act="Delete key"
          mutation={removal}
          onClose={close}
        />
      ) : null}
    </>
  )
}
