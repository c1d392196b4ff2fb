import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useKeyHolder } from '../../app/key-holder.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { deleteKey } from './change-key.ts'
import type { Key } from '../../api/keys.ts'

/** Confirms the deletion and shows the key's usage. */
export function DeleteKeyDialog({
  of: key,
  onClose,
  onDeleted = onClose,
}: {
  readonly of: Key
  readonly onClose: () => void
  readonly onDeleted?: () => void
}) {
  const client = useQueryClient()
  const holder = useKeyHolder()
  const removal = useMutation({
    mutationFn: () => deleteKey(holder, key.id),
    onSuccess: async () => {
      onDeleted()
      toast(`${key.name} deleted.`)
      // Only the lists are refreshed, because a read of the deleted key would return 404.
      await client.invalidateQueries({ queryKey: ['keys'], predicate: ({ queryKey }) => !queryKey.includes(key.id) })
    },
  })
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Delete ${key.name}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" isBusy={removal.isPending} onClick={() => removal.mutate()}>
            Delete key
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {removal.error === null ? null : <ErrorNote error={removal.error} />}
        <p>
          Requests with this key are rejected within 15 seconds. It has made{' '}
          {plural(Number(key.requestCount), 'request')} totaling <Money usd={key.usage} />. Last used:{' '}
          <Time iso={key.lastUsed} />.
        </p>
        <p className="text-muted">
          Requests in progress finish and are charged. Past requests stay in your history. You can't undo this.
        </p>
      </div>
    </Dialog>
  )
}
