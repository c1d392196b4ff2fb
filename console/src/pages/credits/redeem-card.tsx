import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { redeemCode } from '../../api/payments.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { refreshMoney } from './refresh-money.ts'

/** Redeems a code for credit. */
export function RedeemCard({ ownerId }: { readonly ownerId: string }) {
  const form = useForm({ defaultValues: { code: '' } })
  const redemption = useMutation({
    mutationFn: (code: string) => redeemCode(ownerId, code),
    onSuccess: async () => {
      form.reset()
      await refreshMoney()
    },
    gcTime: 0,
  })
  const submit = form.handleSubmit(({ code }) => redemption.mutate(code.trim()))
  return (
    <Card title="Redeem a code">
      <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)} noValidate>
        {redemption.error === null ? null : <ErrorNote error={redemption.error} />}
        {redemption.data === undefined ? null : (
          <p role="status" className="rounded-md bg-good-soft px-3 py-2 text-sm">
            <Money usd={redemption.data.amount} /> added to your balance.
            {redemption.data.expires_at === null ? null : (
              <>
                {' '}
                Unused credit expires <Time iso={redemption.data.expires_at} />.
              </>
            )}
          </p>
        )}
        <div className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <TextField
              label="Code"
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              error={form.formState.errors.code?.message}
              {...form.register('code', { required: 'Enter a code.' })}
            />
          </div>
          <Button type="submit" isBusy={redemption.isPending}>
            Redeem
          </Button>
        </div>
      </form>
    </Card>
  )
}
