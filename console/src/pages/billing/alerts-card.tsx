import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { alertsQuery, chooseAlerts, type WalletAlerts } from '../../api/alerts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { type AlertFields, alertFields, alertWish, judgeBalances, judgePercents } from './alert-wish.ts'

interface Props {
  readonly ownerId: string
  readonly mayChange: boolean
  /** Only organizations have budgets. */
  readonly hasBudgets: boolean
}

/** Alert settings. An alert is sent once when credit falls below an amount or a budget reaches a percentage. */
export function AlertsCard({ ownerId, ...props }: Props) {
  const alerts = useQuery(alertsQuery(ownerId))
  return (
    <Card
      title="Alerts"
      description={
        props.hasBudgets
          ? 'Get notified when the balance runs low or a budget is nearly spent.'
          : 'Get notified when your balance runs low.'
      }
    >
      {alerts.error === null ? null : <ErrorNote error={alerts.error} onRetry={() => void alerts.refetch()} />}
      {alerts.data === undefined ? (
        alerts.error === null ? (
          <Skeleton className="h-40 w-full" />
        ) : null
      ) : (
        <AlertForm ownerId={ownerId} alerts={alerts.data} {...props} />
      )}
    </Card>
  )
}

function AlertForm({ ownerId, alerts, mayChange, hasBudgets }: Props & { readonly alerts: WalletAlerts }) {
  const client = useQueryClient()
  const form = useForm<AlertFields>({ defaultValues: alertFields(alerts) })
  const saving = useMutation({
    mutationFn: (fields: AlertFields) => chooseAlerts(ownerId, alertWish(fields)),
    onSuccess: (saved) => {
      client.setQueryData(alertsQuery(ownerId).queryKey, saved)
      toast('Alerts saved.')
    },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((fields) => saving.mutate(fields))
  const field = { autoComplete: 'off', readOnly: !mayChange } as const
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {saving.error === null ? null : <ErrorNote error={saving.error} />}
      <TextField
        label="Balance alerts (USD)"
        placeholder="5, 20"
        hint="Sends an alert when the balance falls below each amount. Separate amounts with commas."
        error={errors.balances?.message}
        {...field}
        {...form.register('balances', { validate: judgeBalances })}
      />
      {hasBudgets ? (
        <TextField
          label="Budget alerts (%)"
          placeholder="80, 100"
          hint="Sends an alert when this share of any organization, team, member, or key budget is spent."
          error={errors.budgetPercents?.message}
          {...field}
          {...form.register('budgetPercents', { validate: judgePercents })}
        />
      ) : null}
      <CheckField
        label={hasBudgets ? 'Email admins and billing viewers' : 'Email me'}
        disabled={!mayChange}
        {...form.register('mail')}
      />
      <TextField
        label="Webhook URL"
        placeholder="https://"
        hint={
          <>
            Signed with your{' '}
            <Link to="/webhooks" className="underline underline-offset-2">
              webhook secret
            </Link>
            .
          </>
        }
        {...field}
        {...form.register('webhookUrl')}
      />
      {mayChange ? (
        <div>
          <Button type="submit" isBusy={saving.isPending}>
            Save alerts
          </Button>
        </div>
      ) : null}
    </form>
  )
}
