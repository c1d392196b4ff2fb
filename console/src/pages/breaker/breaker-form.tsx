import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { amountBody } from '../../api/amount-body.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Breaker, breakerQuery, changeBreaker } from './read-breaker.ts'

interface Fields {
  readonly isOn: boolean
  readonly minute: string
  readonly hour: string
}

/** Changes the spend breaker. An empty limit resets it to the default. */
export function BreakerForm({ breaker }: { readonly breaker: Breaker }) {
  const client = useQueryClient()
  const { settings, resolvedSettings } = breaker
  const { register, handleSubmit, formState, reset } = useForm<Fields>({
    defaultValues: {
      isOn: resolvedSettings.cbEnabled,
      minute: textOf(settings.cbMinuteUsd),
      hour: textOf(settings.cbHourlyUsd),
    },
  })
  const change = useMutation({
    mutationFn: ({ isOn, minute, hour }: Fields) =>
      changeBreaker({ cbEnabled: isOn, cbMinuteUsd: bodyOf(minute), cbHourlyUsd: bodyOf(hour) }),
    onSuccess: (changed, fields) => {
      client.setQueryData(breakerQuery.queryKey, changed)
      reset(fields)
      toast(changed.resolvedSettings.cbEnabled ? 'Spend breaker is on.' : 'Spend breaker is off.')
    },
  })
  const limit = {
    pattern: { value: /^\s*(?:\d{1,9}(?:\.\d{1,9})?)?\s*$/, message: 'Enter an amount, such as 5 or 0.50.' },
  }
  const hint = 'Minimum 0.01. Leave empty to use the default.'
  const submit = handleSubmit((fields) => change.mutate(fields))
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <CheckField
        label="Turn on the spend breaker"
        hint="Requests over a limit are rejected with a 429 error until the minute or hour ends. Rejected requests aren't charged."
        {...register('isOn')}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Limit per minute (USD)"
          hint={hint}
          inputMode="decimal"
          placeholder={textOf(resolvedSettings.cbMinuteUsd)}
          error={formState.errors.minute?.message}
          {...register('minute', limit)}
        />
        <TextField
          label="Limit per hour (USD)"
          hint={hint}
          inputMode="decimal"
          placeholder={textOf(resolvedSettings.cbHourlyUsd)}
          error={formState.errors.hour?.message}
          {...register('hour', limit)}
        />
      </div>
      <Button kind="primary" type="submit" className="self-end" isBusy={change.isPending}>
        Save changes
      </Button>
    </form>
  )
}

function textOf(usd: Breaker['settings']['cbMinuteUsd']): string {
  return usd === null ? '' : exactUsd(toNano(usd))
}

function bodyOf(text: string): number | null {
  return text.trim() === '' ? null : amountBody(text.trim())
}
