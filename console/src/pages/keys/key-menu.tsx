import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useWallet, type Wallet } from '../../app/wallet.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import type { Key } from './read-keys.ts'

/** What can be done with a key. */
export function KeyMenu({ of: key }: { readonly of: Key }) {
  const wallet = useWallet()
  const client = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const change = useMutation({
    mutationFn: () => changeKey(wallet, key.id, { enabled: !key.enabled }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      toast(key.enabled ? `${key.name} is off: it is refused until you turn it on.` : `${key.name} works again.`)
    },
    onError: toastError,
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${key.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
        items={[
          { label: key.enabled ? 'Turn off' : 'Turn on', onSelect: () => change.mutate() },
          { label: 'Delete…', isDanger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      {isDeleting ? <DeleteDialog of={key} wallet={wallet} onClose={() => setDeleting(false)} /> : null}
    </>
  )
}

/** Says in numbers what ends. */
function DeleteDialog({
  of: key,
  wallet,
  onClose,
}: {
  readonly of: Key
  readonly wallet: Wallet
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => deleteKey(wallet, key.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      toast(`${key.name} is deleted.`)
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete ${key.name}`}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" isBusy={removal.isPending} onClick={() => removal.mutate()}>
            Delete key
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {removal.error === null ? null : <ErrorNote error={removal.error} />}
        <p>
          Programs with this key are refused within 15 seconds. It made {Number(key.requestCount).toLocaleString('en')}{' '}
          requests for <Money usd={key.usage} /> and was last used: <Time iso={key.lastUsed} />.
        </p>
        <p className="text-muted">
          Calls that have begun finish and are charged. Its requests stay in your records. This cannot be undone.
        </p>
      </div>
    </Dialog>
  )
}

function changeKey({ organizationId }: Wallet, id: string, body: { enabled: boolean }) {
  if (organizationId === null) return api.PATCH('/v1/keys/{id}', { params: { path: { id } }, body })
  return api.PATCH('/v1/orgs/{orgId}/keys/{keyId}', { params: { path: { orgId: organizationId, keyId: id } }, body })
}

function deleteKey({ organizationId }: Wallet, id: string) {
  if (organizationId === null) return api.DELETE('/v1/keys/{id}', { params: { path: { id } } })
  return api.DELETE('/v1/orgs/{orgId}/keys/{keyId}', { params: { path: { orgId: organizationId, keyId: id } } })
}
