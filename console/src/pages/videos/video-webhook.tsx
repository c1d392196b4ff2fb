import { useQuery } from '@tanstack/react-query'
import { deliveryQuery } from '../../api/webhooks.ts'
import type { Wallet } from '../../app/wallet.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ResendButton } from '../webhooks/resend-button.tsx'
import { answerInWords, DeliveryMoment, DeliveryState } from '../webhooks/delivery-state.tsx'

/** The webhook delivery of a job. */
export function VideoWebhook({ wallet, jobId }: { readonly wallet: Wallet; readonly jobId: string }) {
  const delivery = useQuery(deliveryQuery(wallet, jobId))
  const { data } = delivery
  return (
    <section aria-labelledby="video-webhook">
      <h3 id="video-webhook" className="mb-2 font-semibold text-sm">
        Webhook
      </h3>
      {delivery.error === null ? null : <ErrorNote error={delivery.error} onRetry={() => void delivery.refetch()} />}
      {data === undefined ? (
        delivery.error === null ? (
          <Skeleton className="h-16 w-full" />
        ) : null
      ) : data === null ? (
        <p className="text-muted text-sm">
          The request had no <code className="font-mono text-xs">callback_url</code>, so no webhook was sent.
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line px-3 py-2.5 text-sm">
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              <DeliveryState delivery={data} />
              <code className="truncate font-mono text-xs">{data.url}</code>
            </div>
            <p className="figures mt-1 text-muted text-xs">
              {answerInWords(data)} · <DeliveryMoment delivery={data} />
            </p>
          </div>
          <ResendButton wallet={wallet} delivery={data} />
        </div>
      )}
    </section>
  )
}
