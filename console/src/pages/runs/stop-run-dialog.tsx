import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Run, runsKey, stopRun } from '../../api/runs.ts'
import { useWallet } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

/** Confirms that a run and its child runs stop for good. */
export function StopRunDialog({ of: { id }, onClose }: { readonly of: Pick<Run, 'id'>; readonly onClose: () => void }) {
  const wallet = useWallet()
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const stop = useMutation({
    mutationFn: () => stopRun(wallet, id, reason.trim() === '' ? null : reason),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [runsKey] })
      toast(`${id} stopped.`)
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Stop ${id}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" isBusy={stop.isPending} onClick={() => stop.mutate()}>
            Stop run
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {stop.error === null ? null : <ErrorNote error={stop.error} />}
        <p>
          Running requests of this run and its child runs end at once, and new ones are rejected. Only usage that has
          already arrived is charged. You can't resume a stopped run.
        </p>
        <TextField
          label="Reason (optional)"
          hint="The agent gets it in the error message."
          value={reason}
          maxLength={200}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
    </Dialog>
  )
}
