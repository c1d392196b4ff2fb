import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { addPasskey, deletePasskey, listPasskeys } from '../../api/passkeys.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { nameDevice } from './name-device.ts'

/** Passkeys sign in without a password and cannot be phished by a lookalike site. */
export function PasskeysCard() {
  const client = useQueryClient()
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: listPasskeys })
  const refresh = () => client.invalidateQueries({ queryKey: ['passkeys'] })
  const add = useMutation({
    mutationFn: () => withStepUp(() => addPasskey(nameDevice(navigator.userAgent).label)),
    onSuccess: async () => {
      await refresh()
      toast('Passkey added.')
    },
    onError: toastError,
  })
  const [asked, setAsked] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const removal = useMutation({
    mutationFn: (id: string) => withStepUp(() => deletePasskey(id)),
    onSuccess: async () => {
      setAsked(null)
      await refresh()
      toast('Passkey removed.')
    },
  })
  return (
    <Card
      title="Passkeys"
      aside={
        <Button size="small" isBusy={add.isPending} onClick={() => add.mutate()}>
          Add passkey
        </Button>
      }
    >
      {passkeys.error === null ? null : <ErrorNote error={passkeys.error} onRetry={() => void passkeys.refetch()} />}
      {passkeys.data === undefined && passkeys.error === null ? <Skeleton className="h-5 w-64" /> : null}
      {passkeys.data?.length === 0 ? (
        <p className="text-muted text-sm">
          Sign in with your fingerprint, face, or security key instead of a password.
        </p>
      ) : null}
      <ul className="-my-2 flex flex-col empty:hidden">
        {(passkeys.data ?? []).map(({ id, name, createdAt }) => (
          <li key={id} className="flex items-center gap-3 border-line border-b py-2.5 last:border-b-0">
            <Fingerprint size={18} className="shrink-0 text-muted" aria-hidden="true" />
            <div className="min-w-0 flex-1">
              <div className="truncate">{name ?? 'Passkey'}</div>
              <div className="text-muted text-xs">
                Added <Time iso={createdAt} />
              </div>
            </div>
            <Button size="small" onClick={() => setAsked({ id, name: name ?? 'this passkey' })}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {asked === null ? null : (
        <ConfirmDialog
          title="Remove passkey?"
          text={`You won't be able to sign in with ${asked.name}.`}
          act="Remove passkey"
          mutation={{ ...removal, mutate: () => removal.mutate(asked.id) }}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  )
}
