import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { autoTopUpQuery } from '../../api/auto-top-up.ts'
import { deleteMethod, methodsQuery, openSavingPage, type PaymentMethod } from '../../api/billing.ts'
import { offerQuery } from '../../api/payments.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { cardWords, expiryWords } from './card-words.ts'

interface Props {
  readonly ownerId: string
  readonly mayChange: boolean
}

/** Cards that the payment provider stores. The gateway knows only their last four digits. */
export function CardsCard(props: Props) {
  const offer = useQuery(offerQuery)
  const keeps = offer.data?.providers.some(({ saves_methods: saves }) => saves)
  return (
    <Card title="Saved cards">
      {offer.error === null ? null : <ErrorNote error={offer.error} onRetry={() => void offer.refetch()} />}
      {keeps === undefined ? (
        <Skeleton className="h-16 w-full" />
      ) : keeps ? (
        <Cards {...props} />
      ) : (
        <p className="text-muted text-sm">Saved cards aren't available with this gateway's payment provider.</p>
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
          No saved cards. The payment provider stores the card; Weir sees only its brand, last four digits, and expiry
          date.
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
            Add card
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function SavedCard({ of: method, ownerId, mayChange }: Props & { readonly of: PaymentMethod }) {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const removal = useMutation({
    mutationFn: () => withStepUp(() => deleteMethod(ownerId, method.id)),
    onSuccess: async () => {
      toast(`${cardWords(method)} removed.`)
      // A removed card no longer serves automatic top-up.
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
        <Button size="small" kind="quiet" aria-label={`Remove ${cardWords(method)}`} onClick={() => setAsked(true)}>
          Remove
        </Button>
      ) : null}
      {isAsked ? (
        <ConfirmDialog
          title={`Remove ${cardWords(method)}?`}
          text="If automatic top-up uses this card, it turns off."
          act="Remove card"
          mutation={removal}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </li>
  )
}
