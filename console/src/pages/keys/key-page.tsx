import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { cacheTimeInWords } from '../../app/cache-times.ts'
import { keyHolderOf } from '../../app/key-holder.ts'
import { SpendByDay } from '../../app/spend-by-day.tsx'
import { useWallet } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { EditKeyDialog } from './edit-key-dialog.tsx'
import { secretOf } from './key-columns.tsx'
import { KeyLimitsSection } from './key-limits.tsx'
import { KeyState, stateOf } from './key-state.tsx'
import { type Key, keyQuery } from '../../api/keys.ts'
import { ownerWords } from './owner-words.ts'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import { useMayChangeKey } from './use-may-change-key.ts'
import { useKeySwitch } from './use-key-switch.ts'

/** One key, in a sheet over the list: its settings, usage, limits and actions. */
export function KeyPage() {
  const { keyId } = useParams({ from: '/app/keys/$keyId' })
  const navigate = useNavigate()
  const wallet = useWallet()
  const holder = keyHolderOf(wallet)
  const key = useQuery(keyQuery(holder, keyId))
  const mayChange = useMayChangeKey()
  const close = () => void navigate({ to: '/keys', search: true })
  return (
    <Sheet
      isOpen
      title={key.data?.name ?? 'API key'}
      description={
        <span className="flex items-center gap-1 font-mono text-xs">
          <span className="truncate">{keyId}</span>
          <CopyButton text={keyId} label="Copy key ID" />
        </span>
      }
      onClose={close}
      actions={
        key.data === undefined || key.data === null || !mayChange(key.data) ? undefined : (
          <Actions of={key.data} onDeleted={close} />
        )
      }
    >
      {key.error === null ? null : <ErrorNote error={key.error} onRetry={() => void key.refetch()} />}
      {key.data === null ? (
        <EmptyState title="API key not found">It was deleted or belongs to another account.</EmptyState>
      ) : key.data === undefined ? (
        key.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-6">
          <Facts of={key.data} />
          {key.data.keyType === 'standard' ? <KeyLimitsSection holder={holder} keyId={keyId} /> : null}
          <Spent of={key.data} />
        </div>
      )}
    </Sheet>
  )
}

function Facts({ of: key }: { readonly of: Key }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Status', <KeyState state={stateOf(key)} />],
    ['Type', key.keyType === 'management' ? <Badge tone="accent">Management</Badge> : 'Standard'],
    ...(key.organizationId === undefined ? [] : [['Belongs to', ownerWords(key)] as const]),
    ['Secret', <code className="font-mono text-xs">{secretOf(key)}</code>],
    ['Created', <Time iso={key.createdAt} />],
    ['Last used', <Time iso={key.lastUsed} />],
    ['Expires', <Time iso={key.expiresAt} />],
    ['Allowed IP addresses', key.allowedCidrs.length === 0 ? 'Any' : key.allowedCidrs.join(', ')],
    ...(key.keyType === 'standard' ? [['Response cache', cacheWords(key.cacheTtlSeconds)] as const] : []),
  ]
  return (
    <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="mt-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function cacheWords(seconds: Key['cacheTtlSeconds']): string {
  if (seconds === null) return 'Default'
  return Number(seconds) === 0 ? 'Off' : cacheTimeInWords(Number(seconds))
}

function Spent({ of: key }: { readonly of: Key }) {
  const sums = [
    ['Today', key.usage_daily],
    ['This week', key.usage_weekly],
    ['This month', key.usage_monthly],
    ['All time', key.usage],
  ] as const
  return (
    <section aria-labelledby="key-spent">
      <h3 id="key-spent" className="mb-2 font-semibold text-sm">
        Spend
      </h3>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
        {sums.map(([label, usd]) => (
          <div key={label}>
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="mt-0.5">
              <Money usd={usd} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-muted text-xs">
        Across {plural(Number(key.requestCount), 'request')}. Days, weeks, and months start at 00:00 UTC.
      </p>
      {key.keyType === 'standard' ? (
        <div className="mt-4">
          <SpendByDay keyId={key.id} height={160} />
        </div>
      ) : null}
    </section>
  )
}

function Actions({ of: key, onDeleted }: { readonly of: Key; readonly onDeleted: () => void }) {
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'delete' | null>(null)
  const change = useKeySwitch(key)
  const close = () => setAsked(null)
  return (
    <>
      <Button kind="danger" onClick={() => setAsked('delete')}>
        Delete key…
      </Button>
      <span className="flex-1" />
      <Button onClick={() => setAsked('edit')}>Edit…</Button>
      <Button isBusy={change.isPending} onClick={() => change.mutate()}>
        {key.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button kind="primary" onClick={() => setAsked('rotate')}>
        Rotate key…
      </Button>
      {asked === 'edit' ? <EditKeyDialog of={key} onClose={close} /> : null}
      {asked === 'rotate' ? <RotateKeyDialog of={key} onClose={close} /> : null}
      {asked === 'delete' ? <DeleteKeyDialog of={key} onClose={close} onDeleted={onDeleted} /> : null}
    </>
  )
}
