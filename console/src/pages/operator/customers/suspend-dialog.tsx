import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Customer, setSuspended } from '../../../api/customers.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { nameOfCustomer } from './name-of-customer.ts'

/** Cuts off a customer, or lets it in again. Both take effect with the next request. */
export function SuspendDialog({ customer, onClose }: { readonly customer: Customer; readonly onClose: () => void }) {
  const client = useQueryClient()
  const isSuspended = customer.suspended_at !== null
  const mutation = useMutation({
    mutationFn: () => setSuspended(customer, !isSuspended),
    onSuccess: async () => {
      onClose()
      toast(isSuspended ? 'Suspension lifted.' : 'Customer suspended.')
      await client.invalidateQueries({ queryKey: ['operator', 'customers'] })
    },
  })
  const who = nameOfCustomer(customer)
  return (
    <ConfirmDialog
      title={isSuspended ? `Lift the suspension of ${who}?` : `Suspend ${who}?`}
      text={
        isSuspended
          ? 'Requests with its keys are accepted again.'
          : 'New requests with its keys are rejected with 403 at once. Requests in progress finish and are charged. Balance and data stay.'
      }
      act={isSuspended ? 'Lift suspension' : 'Suspend'}
      mutation={mutation}
      onClose={onClose}
    />
  )
}
