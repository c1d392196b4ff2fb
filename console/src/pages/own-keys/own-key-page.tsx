import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { changeOwnKey, deleteOwnKey, type OwnKey, ownKeyQuery, ownKeysQuery } from '../../api/own-keys.ts'
import { useOrganization } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { EditOwnKeyDialog } from './edit-own-key-dialog.tsx'
import { ModelMappings } from './model-mappings.tsx'
import { OwnKeyHealth } from './own-key-health.tsx'

/** One own key, in a sheet over the list: health, models and actions. */
export function OwnKeyPage() {
  const { ownKeyId } = useParams({ from: '/app/own-keys/$ownKeyId' })
  const navigate = useNavigate()
  const { organizationId } = useOrganization()
  const key = useQuery(ownKeyQuery(organizationId, ownKeyId))
  const close = () => void navigate({ to: '/own-keys' })
  return (
    <Sheet
      isOpen
      title={key.data?.name ?? 'Own key'}
      onClose={close}
      actions={
        key.data === undefined ? undefined : <Actions organizationId={organizationId} of={key.data} onDeleted={close} />
      }
    >
      {key.error === null ? null : <ErrorNote error={key.error} onRetry={() => void key.refetch()} />}
      {key.data === undefined ? (
        key.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-6">
          <Facts of={key.data} />
          <ModelMappings organizationId={organizationId} of={key.data} />
        </div>
      )}
    </Sheet>
  )
}

function Facts({ of: key }: { readonly of: OwnKey }) {
  const { health } = key
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Status', <OwnKeyHealth of={key} />],
    ['Last used', <Time iso={health.lastCheckedAt} />],
    ['Failures in a row', Number(health.consecutiveFailures).toLocaleString('en')],
    ['Secret', <code className="font-mono text-xs">{key.keyMask}</code>],
    key.provider === null
      ? ['Protocol', key.protocol === 'anthropic' ? 'Anthropic' : 'OpenAI compatible']
      : ['Provider', key.provider],
    ['If the provider fails', key.fallbackMode === 'strict' ? 'Return an error' : "Use Weir's providers"],
    ['Used by', key.scopedApiKeyIds.length === 0 ? 'All API keys' : plural(key.scopedApiKeyIds.length, 'API key')],
    ['Created', <Time iso={key.createdAt} />],
    ['Base URL', <code className="break-all font-mono text-xs">{key.baseUrl}</code>],
  ]
  return (
    <div className="flex flex-col gap-3">
      {health.lastError === null ? null : (
        <p role="alert" className="rounded-md bg-bad-soft px-4 py-3 text-sm">
          Last error: {health.lastError}
        </p>
      )}
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="mt-0.5 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Actions({
  organizationId,
  of: key,
  onDeleted,
}: {
  readonly organizationId: string
  readonly of: OwnKey
  readonly onDeleted: () => void
}) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const { queryKey } = ownKeysQuery(organizationId)
  const change = useMutation({
    mutationFn: () => changeOwnKey(organizationId, key.id, { enabled: !key.enabled }),
    onSuccess: async () => {
      toast(key.enabled ? `${key.name} disabled.` : `${key.name} enabled.`)
      await client.invalidateQueries({ queryKey })
    },
    onError: toastError,
  })
  const removal = useMutation({
    mutationFn: () => deleteOwnKey(organizationId, key.id),
    onSuccess: async () => {
      onDeleted()
      toast(`${key.name} deleted.`)
      // Only the list is refreshed, because a read of the deleted key would return 404.
      await client.invalidateQueries({ queryKey, exact: true })
    },
  })
  return (
    <>
      <Button kind="danger" onClick={() => setAsked('delete')}>
        Delete key…
      </Button>
      <span className="flex-1" />
      <Button isBusy={change.isPending} onClick={() => change.mutate()}>
        {key.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button kind="primary" onClick={() => setAsked('edit')}>
        Edit…
      </Button>
      {asked === 'edit' ? (
        <EditOwnKeyDialog organizationId={organizationId} of={key} onClose={() => setAsked(null)} />
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${key.name}?`}
          text="Requests for its models go to Weir's providers again, at Weir's price. Requests in progress finish. You can't undo this."
          act="Delete key"
          mutation={removal}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  )
}
