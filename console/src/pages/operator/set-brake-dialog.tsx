import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { brakeQuery, setBrake } from '../../api/brake.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

const retries = [
  { value: '300', label: '5 minutes' },
  { value: '30', label: '30 seconds' },
]

/** Says what stops and what goes on, before everything stops. */
export function SetBrakeDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm({ defaultValues: { reason: '', retryAfterS: '300' } })
  const setting = useMutation({
    mutationFn: ({ reason, retryAfterS }: { reason: string; retryAfterS: string }) =>
      setBrake({ reason, retryAfterS: retryAfterS === '30' ? 30 : 300 }),
    onSuccess: (state) => {
      client.setQueryData(brakeQuery.queryKey, state)
      onClose()
      toast('All requests are stopped.')
    },
  })
  const submit = form.handleSubmit((wish) => setting.mutate(wish))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Stop all requests?"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" form="set-brake" isBusy={setting.isPending}>
            Stop all requests
          </Button>
        </>
      }
    >
      <form id="set-brake" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {setting.error === null ? null : <ErrorNote error={setting.error} />}
        <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm">
          <li>Every gateway rejects new requests to models, of all customers, with 503.</li>
          <li>Responses in progress finish and are charged.</li>
          <li>The console, payments, and the rest of the API keep working.</li>
          <li>It lasts until an operator releases the brake.</li>
        </ul>
        <TextField
          label="Reason"
          autoComplete="off"
          hint="For other operators. Stored in the audit log."
          error={form.formState.errors.reason?.message}
          {...form.register('reason', { required: 'Enter a reason.', maxLength: 500 })}
        />
        <SelectField label="Clients retry after" choices={retries} {...form.register('retryAfterS')} />
      </form>
    </Dialog>
  )
}
