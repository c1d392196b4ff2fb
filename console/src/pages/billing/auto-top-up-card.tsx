import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { type AutoTopUp, type AutoTopUpRule, autoTopUpQuery, chooseAutoTopUp } from '../../api/auto-top-up.ts'
import { methodsQuery, type PaymentMethod } from '../../api/billing.ts'
import { offerQuery } from '../../api/payments.ts'
import { withStepUp } from '../../api/step-up.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { amountRule } from '../../lib/amount-rule.ts'
import { cardWords } from './card-words.ts'

interface Props {
  readonly ownerId: string
  readonly mayChange: boolean
}

/** Automatic top-up: charges a saved card when the balance is low, within limits. It is off by default. */
export function AutoTopUpCard({ ownerId, mayChange }: Props) {
  const offer = useQuery(offerQuery)
  const keeps = offer.data?.providers.some(({ saves_methods: saves }) => saves) === true
  const rule = useQuery(autoTopUpQuery(ownerId))
  const methods = useQuery({ ...methodsQuery(ownerId), enabled: keeps })
  if (offer.data !== undefined && !keeps) return null
  const isOn = rule.data?.enabled === true
  return (
    <Card
      title="Automatic top-up"
      description="Buys credit with a saved card when your available credit runs low."
      aside={
        rule.data === undefined ? undefined : <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>
      }
    >
      {rule.error === null ? null : <ErrorNote error={rule.error} onRetry={() => void rule.refetch()} />}
      {rule.data === undefined || methods.data === undefined ? (
        rule.error === null ? (
          <Skeleton className="h-40 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-4">
          <Standing rule={rule.data} />
          {!mayChange ? null : methods.data.length === 0 && !isOn ? (
            <p className="text-muted text-sm">Add a card to turn on automatic top-up.</p>
          ) : (
            <RuleForm ownerId={ownerId} rule={rule.data} methods={methods.data} />
          )}
        </div>
      )}
    </Card>
  )
}

/** The amount bought automatically so far, and why the card is not charged now. */
function Standing({ rule }: { readonly rule: AutoTopUp }) {
  if (!rule.enabled && rule.threshold === null) return null
  return (
    <div className="text-sm">
      <p className="text-muted">
        Automatic top-ups: <Money usd={rule.bought_today} /> today, <Money usd={rule.bought_this_month} /> this month
        (UTC).
      </p>
      {rule.last_failure === null ? null : (
        <p className="mt-2 rounded-md bg-warn-soft px-3 py-2">
          {rule.last_failure === 'declined'
            ? 'Card declined. Try another card or contact your bank.'
            : 'Your bank requires the cardholder to approve the payment. Buy credit once to approve it on the payment page.'}
          {rule.paused_until === null ? null : (
            <>
              {' '}
              Weir retries the card <Time iso={rule.paused_until} />.
            </>
          )}
          {rule.enabled ? null : ' Automatic top-up is off until you turn it back on.'}
        </p>
      )}
    </div>
  )
}

function RuleForm({
  ownerId,
  rule,
  methods,
}: {
  readonly ownerId: string
  readonly rule: AutoTopUp
  readonly methods: readonly PaymentMethod[]
}) {
  const client = useQueryClient()
  const form = useForm<AutoTopUpRule>({ defaultValues: fieldsOf(rule, methods) })
  const change = useMutation({
    mutationFn: (next: AutoTopUpRule | null) => withStepUp(() => chooseAutoTopUp(ownerId, next)),
    onSuccess: (saved) => {
      client.setQueryData(autoTopUpQuery(ownerId).queryKey, saved)
      toast(saved.enabled ? 'Automatic top-up is on.' : 'Automatic top-up is off.')
    },
  })
  const submit = form.handleSubmit((next) => change.mutate(next))
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <RuleFields form={form} methods={methods} />
      <div className="flex gap-2">
        <Button kind="primary" type="submit" isBusy={change.isPending}>
          {rule.enabled ? 'Save changes' : 'Turn on'}
        </Button>
        {rule.enabled ? (
          <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
            Turn off
          </Button>
        ) : null}
      </div>
    </form>
  )
}

function RuleFields({
  form: { register, formState },
  methods,
}: {
  readonly form: UseFormReturn<AutoTopUpRule>
  readonly methods: readonly PaymentMethod[]
}) {
  const { errors } = formState
  const amount = { inputMode: 'decimal', autoComplete: 'off' } as const
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Top up when credit falls below (USD)"
          hint="Compared with your available credit."
          {...amount}
          error={errors.threshold?.message}
          {...register('threshold', amountRule(2))}
        />
        <TextField
          label="Top up to (USD)"
          {...amount}
          error={errors.target?.message}
          {...register('target', amountRule(2))}
        />
        <TextField
          label="Daily limit (USD)"
          {...amount}
          error={errors.dayMax?.message}
          {...register('dayMax', amountRule(2))}
        />
        <TextField
          label="Monthly limit (USD)"
          {...amount}
          error={errors.monthMax?.message}
          {...register('monthMax', amountRule(2))}
        />
      </div>
      <SelectField
        label="Card"
        hint="Fees and taxes are added to each top-up."
        error={errors.methodId?.message}
        choices={methods.map((method) => ({ value: method.id, label: cardWords(method) }))}
        {...register('methodId', { required: 'Select a card.' })}
      />
    </>
  )
}

function fieldsOf(rule: AutoTopUp, methods: readonly PaymentMethod[]): AutoTopUpRule {
  return {
    threshold: usdText(rule.threshold, '5'),
    target: usdText(rule.target, '25'),
    dayMax: usdText(rule.day_max, '50'),
    monthMax: usdText(rule.month_max, '200'),
    methodId: methods.find(({ id }) => id === rule.method_id)?.id ?? methods[0]?.id ?? '',
  }
}

function usdText(usd: AutoTopUp['threshold'], otherwise: string): string {
  return usd === null ? otherwise : exactUsd(toNano(usd))
}
