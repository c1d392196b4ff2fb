import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeEndCustomer, type EndCustomer, endCustomersKey } from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { toast } from '../../ui/toast.tsx'

/** Confirms that the requests of a customer are rejected from now on, or served again. */
export function SuspendCustomerDialog({
  of: customer,
  onClose,
}: {
  readonly of: EndCustomer
  readonly onClose: () => void
}) {
  const wallet = useWallet()
  const client = useQueryClient()
  const { id, suspended } = customer
  const change = useMutation({
    mutationFn: () => changeEndCustomer(wallet, id, { suspended: !suspended }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [endCustomersKey] })
      toast(suspended ? `${id} resumed.` : `${id} suspended.`)
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={suspended ? `Resume ${id}?` : `Suspend ${id}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={suspended ? 'primary' : 'danger'} isBusy={change.isPending} onClick={() => change.mutate()}>
            {suspended ? 'Resume customer' : 'Suspend customer'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {change.error === null ? null : <ErrorNote error={change.error} />}
        {suspended ? <ResumeWords /> : <SuspendWords of={customer} />}
      </div>
    </Dialog>
  )
}

function ResumeWords() {
  return <p>Requests that name this customer are served again within 15 seconds, up to the customer's limits.</p>
}

function SuspendWords({ of: { requests, spent } }: { readonly of: EndCustomer }) {
  return (
    <>
      <p>
        Requests that name this customer are rejected with 403 within 15 seconds, and no provider is called. The
        customer has made {plural(Number(requests), 'request')} totaling <Money usd={spent} />.
      </p>
      <p className="text-muted">
        Requests in progress finish and are charged. All other customers are served as before. You can resume the
        customer at any time.
      </p>
    </>
  )
}
