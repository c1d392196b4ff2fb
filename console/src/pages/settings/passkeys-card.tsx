import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { addPasskey, deletePasskey, listPasskeys } from '../../api/passkeys.ts'
import { withStepUp } from '../../app/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { nameDevice } from './name-device.ts'

/** Passkeys sign in without a password, and no site that imitates this one can ask for them. */
export function PasskeysCard() {
  const client = useQueryClient()
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: listPasskeys })
  const refresh = () => client.invalidateQueries({ queryKey: ['passkeys'] })
  const add = useMutation({
    mutationFn: () => withStepUp(() => addPasskey(nameDevice(navigator.userAgent).label)),
    onSuccess: async () => {
      await refresh()
      toast('The passkey is added.')
    },
    onError: toastError,
  })
  const remove = useMutation({
    mutationFn: (id: string) => withStepUp(() => deletePasskey(id)),
    onSuccess: refresh,
    onError: toastError,
  })
  return (
    <Card
      title="Passkeys"
      aside={
        <Button size="small" isBusy={add.isPending} onClick={() => add.mutate()}>
          Add a passkey
        </Button>
      }
    >
      {passkeys.error === null ? null : <ErrorNote error={passkeys.error} onRetry={() => void passkeys.refetch()} />}
      {passkeys.data === undefined && passkeys.error === null ? <Skeleton className="h-5 w-64" /> : null}
      {passkeys.data?.length === 0 ? (
        <p className="text-muted text-sm">
          Sign in with your fingerprint, your face or a security key. No password can be stolen then.
        </p>
      ) : null}
      <ul className="-my-2 flex flex-col empty:hidden">
        {(passkeys.data ?? []).map(({ id, name, createdAt }) => (
          <li key={id} className="flex items-center gap-3 border-line border-b py-2.5 last:border-b-0">
            <Fingerprint size={18} className="shrink-0 text-muted" aria-hidden="true" />
            <div className="min-w-0 flex-1">
              <div className="truncate">{name ?? 'Passkey'}</div>
              <div className="text-muted text-xs">
                added <Time iso={createdAt} />
              </div>
            </div>
            <Button size="small" onClick={() => remove.mutate(id)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
