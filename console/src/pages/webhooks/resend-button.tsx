import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callAgain, type Delivery } from '../../api/webhooks.ts'
import type { Wallet } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { toast, toastError } from '../../ui/toast.tsx'

/** Resends a webhook immediately, with the same body and id. Alerts cannot be resent. */
export function ResendButton({ wallet, delivery }: { readonly wallet: Wallet; readonly delivery: Delivery }) {
  const { video_id: jobId } = delivery
  return jobId === null ? null : <ResendJobButton wallet={wallet} jobId={jobId} />
}

function ResendJobButton({ wallet, jobId }: { readonly wallet: Wallet; readonly jobId: string }) {
  const client = useQueryClient()
  const call = useMutation({
    mutationFn: () => callAgain(wallet, jobId),
    onSuccess: async () => {
      toast('Resend requested.')
      await client.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: toastError,
  })
  return (
    <Button size="small" isBusy={call.isPending} onClick={() => call.mutate()}>
      Resend
    </Button>
  )
}
