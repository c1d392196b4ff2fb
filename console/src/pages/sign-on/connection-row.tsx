import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  changeConnection,
  type ConnectionBody,
  connectionsQuery,
  deleteConnection,
  type SignOnConnection,
} from '../../api/sign-on.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { ConnectionTest } from './connection-test.tsx'
import { OpenConnectionDialog } from './open-connection-dialog.tsx'

interface RowProps {
  readonly organizationId: string
  readonly of: SignOnConnection
}

/** One identity provider: its settings, its last test, and what can be done with it. */
export function ConnectionRow({ organizationId, of: connection }: RowProps) {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const changing = useMutation({
    mutationFn: (body: ConnectionBody) => withStepUp(() => changeConnection(organizationId, connection.id, body)),
    onSuccess: async () => {
      setAsked(false)
      toast(`${connection.name} updated.`)
      await client.invalidateQueries({ queryKey: connectionsQuery(organizationId).queryKey })
    },
  })
  const { enabled, enforced } = connection
  const release = () => changing.mutate({ enforced: false })
  return (
    <li aria-label={connection.name} className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-sm">{connection.name}</span>
        {enabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>}
        {enforced ? <Badge tone="accent">Required</Badge> : null}
        <Actions organizationId={organizationId} of={connection} />
      </div>
      <ConnectionFacts of={connection} />
      <ConnectionTest of={connection} />
      {changing.error === null || isAsked ? null : <ErrorNote error={changing.error} />}
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => location.assign(`${connection.start}&test=true`)}>
          Test connection
        </Button>
        <Button size="small" isBusy={changing.isPending} onClick={() => changing.mutate(enabledWish(connection))}>
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        {enabled ? (
          <Button size="small" isBusy={changing.isPending} onClick={() => (enforced ? release() : setAsked(true))}>
            {enforced ? 'Make optional' : 'Require…'}
          </Button>
        ) : null}
      </div>
      {isAsked ? (
        <ConfirmDialog
          title="Require single sign-on?"
          text="People with an address in a verified domain who signed in with a password or passkey are signed out now, and continue with this provider. Organization admins, such as you, can still use a password."
          act="Require single sign-on"
          mutation={{ ...changing, mutate: () => changing.mutate({ enforced: true }) }}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </li>
  )
}

/** A provider that is disabled can't be required. */
function enabledWish({ enabled }: SignOnConnection): ConnectionBody {
  return enabled ? { enabled: false, enforced: false } : { enabled: true }
}

function Actions({ organizationId, of: connection }: RowProps) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const removal = useMutation({
    mutationFn: () => withStepUp(() => deleteConnection(organizationId, connection.id)),
    onSuccess: async () => {
      close()
      toast(`${connection.name} deleted.`)
      await client.invalidateQueries({ queryKey: connectionsQuery(organizationId).queryKey })
    },
  })
  return (
    <div className="ml-auto flex gap-2">
      <Button size="small" onClick={() => setAsked('delete')}>
        Delete…
      </Button>
      <Button size="small" onClick={() => setAsked('edit')}>
        Edit…
      </Button>
      {asked === 'edit' ? (
        <OpenConnectionDialog organizationId={organizationId} of={connection} onClose={close} />
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${connection.name}?`}
          text="People can no longer sign in with it. They keep their accounts, and members stay."
          act="Delete identity provider"
          mutation={removal}
          onClose={close}
        />
      ) : null}
    </div>
  )
}
