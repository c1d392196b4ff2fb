import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type BillingDocument, payInvoice } from '../../api/billing.ts'
import { withStepUp } from '../../api/step-up.ts'
import { formatCharged } from '../../lib/charged-amount.ts'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.tsx'

/** Opens the provider's payment page for the invoice total, without a fee. */
export function PayButton({ document }: { readonly document: BillingDocument }) {
  const { wallet_id: walletId, number, total, currency } = document
  const payment = useMutation({
    mutationFn: async () => location.assign(await withStepUp(() => payInvoice(walletId, number))),
    onError: toastError,
  })
  return (
    <Button
      kind="primary"
      isBusy={payment.isPending || payment.isSuccess}
      icon={<ExternalLink size={15} aria-hidden="true" />}
      onClick={() => payment.mutate()}
    >
      Pay {formatCharged(total, currency)}
    </Button>
  )
}
