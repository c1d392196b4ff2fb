import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { beginView, type Customer } from '../../../api/customers.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextField } from '../../../ui/field.tsx'
import { nameOfCustomer } from './name-of-customer.ts'

/** Begins a read-only view of the console as the customer sees it, in this tab. */
export function ViewDialog({ customer, onClose }: { readonly customer: Customer; readonly onClose: () => void }) {
  const form = useForm({ defaultValues: { reason: '' } })
  const begin = useMutation({
    mutationFn: ({ reason }: { reason: string }) => beginView(customer.id, reason),
    // The pages are loaded anew: what they have read is the operator's.
    onSuccess: () => location.assign('/console/'),
  })
  const submit = form.handleSubmit((wish) => begin.mutate(wish))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`View the console as ${nameOfCustomer(customer)}?`}
      description="This tab shows what the customer sees, for up to 30 minutes. Nothing can be changed, and files and sign-in settings aren't shown."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="view" isBusy={begin.isPending}>
            View console
          </Button>
        </>
      }
    >
      <form id="view" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {begin.error === null ? null : <ErrorNote error={begin.error} />}
        <TextField
          label="Reason"
          autoComplete="off"
          hint="Such as a ticket number. The platform's audit log has it with your name. The customer's organizations see only that an operator viewed the console."
          error={form.formState.errors.reason?.message}
          {...form.register('reason', {
            validate: (reason) => reason.trim() !== '' || 'Enter a reason.',
            maxLength: 500,
          })}
        />
      </form>
    </Dialog>
  )
}
