import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { type AutoTopUp, type AutoTopUpRule, autoTopUpQuery, chooseAutoTopUp } from '../../api/auto-top-up.ts'
import { methodsQuery, type PaymentMethod } from '../../api/billing.ts'
import { offerQuery } from '../../api/payments.ts'
import { withStepUp } from '../../app/step-up.ts'
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

/** A saved card is charged when little is left, within caps. It is off until it is chosen. */
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
      aside={
        rule.data === undefined ? undefined : <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'on' : 'off'}</Badge>
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
            <p className="text-muted text-sm">Save a card first. It is charged when less is left than you choose.</p>
          ) : (
            <RuleForm ownerId={ownerId} rule={rule.data} methods={methods.data} />
          )}
        </div>
      )}
    </Card>
  )
}

/** What was bought so, and why the card is not charged now. */
function Standing({ rule }: { readonly rule: AutoTopUp }) {
  if (!rule.enabled && rule.threshold === null) return null
  return (
    <div className="text-sm">
      <p className="text-muted">
        Bought automatically: <Money usd={rule.bought_today} /> today, <Money usd={rule.bought_this_month} /> this month
        (UTC).
      </p>
      {rule.last_failure === null ? null : (
        <p className="mt-2 rounded-md bg-warn-soft px-3 py-2">
          {rule.last_failure === 'declined'
            ? 'The bank declined the card.'
            : 'The bank asks the holder of the card to approve a payment. Buy credit once on the page of the provider.'}
          {rule.paused_until === null ? null : (
            <>
              {' '}
              The card is tried again <Time iso={rule.paused_until} />.
            </>
          )}
          {rule.enabled ? null : ' Automatic top-up is off until you choose it again.'}
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
          {rule.enabled ? 'Save' : 'Switch on'}
        </Button>
        {rule.enabled ? (
          <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
            Switch off
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
          label="When less is left than, USD"
          {...amount}
          error={errors.threshold?.message}
          {...register('threshold', amountRule(2))}
        />
        <TextField
          label="Top up to, USD"
          {...amount}
          error={errors.target?.message}
          {...register('target', amountRule(2))}
        />
        <TextField
          label="At most a day, USD"
          {...amount}
          error={errors.dayMax?.message}
          {...register('dayMax', amountRule(2))}
        />
        <TextField
          label="At most a month, USD"
          {...amount}
          error={errors.monthMax?.message}
          {...register('monthMax', amountRule(2))}
        />
      </div>
      <SelectField
        label="Card"
        hint="Fee and tax come on top, as when you buy credit yourself."
        error={errors.methodId?.message}
        choices={methods.map((method) => ({ value: method.id, label: cardWords(method) }))}
        {...register('methodId', { required: 'Choose a card.' })}
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
