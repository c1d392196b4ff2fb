import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { autoTopUpQuery } from '../../api/auto-top-up.ts'
import { deleteMethod, methodsQuery, openSavingPage, type PaymentMethod } from '../../api/billing.ts'
import { offerQuery } from '../../api/payments.ts'
import { withStepUp } from '../../app/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { cardWords, expiryWords } from './card-words.ts'

interface Props {
  readonly ownerId: string
  readonly mayChange: boolean
}

/** Cards that the payment provider keeps. This gateway knows their last four digits alone. */
export function CardsCard(props: Props) {
  const offer = useQuery(offerQuery)
  const keeps = offer.data?.providers.some(({ saves_methods: saves }) => saves)
  return (
    <Card title="Cards">
      {offer.error === null ? null : <ErrorNote error={offer.error} onRetry={() => void offer.refetch()} />}
      {keeps === undefined ? (
        <Skeleton className="h-16 w-full" />
      ) : keeps ? (
        <Cards {...props} />
      ) : (
        <p className="text-muted text-sm">No payment provider here keeps cards.</p>
      )}
    </Card>
  )
}

function Cards({ ownerId, mayChange }: Props) {
  const methods = useQuery(methodsQuery(ownerId))
  const saving = useMutation({
    mutationFn: async () => location.assign(await withStepUp(() => openSavingPage(ownerId))),
  })
  if (methods.error !== null) return <ErrorNote error={methods.error} onRetry={() => void methods.refetch()} />
  if (methods.data === undefined) return <Skeleton className="h-16 w-full" />
  return (
    <div className="flex flex-col gap-3">
      {saving.error === null ? null : <ErrorNote error={saving.error} />}
      {methods.data.length === 0 ? (
        <p className="text-muted text-sm">
          No card is saved. The payment provider keeps it; this gateway sees its last four digits alone.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {methods.data.map((method) => (
            <SavedCard key={method.id} of={method} ownerId={ownerId} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {mayChange ? (
        <div>
          <Button isBusy={saving.isPending || saving.isSuccess} onClick={() => saving.mutate()}>
            Save a card
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function SavedCard({ of: method, ownerId, mayChange }: Props & { readonly of: PaymentMethod }) {
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => withStepUp(() => deleteMethod(ownerId, method.id)),
    onSuccess: async () => {
      toast(`${cardWords(method)} is not kept any more.`)
      // A card that is gone tops nothing up.
      await Promise.all([
        client.invalidateQueries({ queryKey: methodsQuery(ownerId).queryKey }),
        client.invalidateQueries({ queryKey: autoTopUpQuery(ownerId).queryKey }),
      ])
    },
  })
  return (
    <li className="flex flex-wrap items-center gap-3 py-2 text-sm">
      <CreditCard size={16} aria-hidden="true" className="text-muted" />
      <span className="figures min-w-0 flex-1">
        {cardWords(method)} <span className="text-muted">{expiryWords(method)}</span>
      </span>
      {mayChange ? (
        <Button
          size="small"
          kind="quiet"
          isBusy={removal.isPending}
          aria-label={`Forget ${cardWords(method)}`}
          onClick={() => removal.mutate()}
        >
          Forget
        </Button>
      ) : null}
      {removal.error === null ? null : (
        <div className="w-full">
          <ErrorNote error={removal.error} />
        </div>
      )}
    </li>
  )
}
