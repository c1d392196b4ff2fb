import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { optionalAmountBody } from '../../api/amount-body.ts'
import type { ControlsDraft } from '../../api/backtest.ts'
import { changeLayerBreaker, type Layer, type LayerBreaker, layerBreakerQuery } from '../../api/layers.ts'
import { BacktestNote } from '../../app/backtest-note.tsx'
import { budgetRule, usdText } from '../../lib/budget-rule.ts'
import { Badge } from '../../ui/badge.tsx'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Facts, Section } from '../../ui/facts.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'

/** The spend breaker of an organization, a team or a member: its current spend, and a form. */
export function BreakerSection({ layer, mayChange }: { readonly layer: Layer; readonly mayChange: boolean }) {
  const breaker = useQuery(layerBreakerQuery(layer))
  const { data } = breaker
  return (
    <Section
      title="Spend breaker"
      level={layer.kind === 'organization' ? 2 : 3}
      aside={data === undefined ? undefined : <State layer={layer} breaker={data} />}
    >
      {breaker.error === null ? null : <ErrorNote error={breaker.error} onRetry={() => void breaker.refetch()} />}
      {data === undefined ? (
        breaker.error === null ? (
          <Skeleton className="h-32 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-4">
          <Facts
            facts={[
              ['This minute', <Spend breaker={data} window="minute" />],
              ['This hour', <Spend breaker={data} window="hour" />],
            ]}
          />
          {mayChange ? <BreakerForm layer={layer} breaker={data} /> : null}
        </div>
      )}
    </Section>
  )
}

function State({ layer, breaker }: { readonly layer: Layer; readonly breaker: LayerBreaker }) {
  const { settings, resolvedSettings } = breaker
  const isOwn = settings.cbEnabled !== null || settings.cbMinuteUsd !== null || settings.cbHourlyUsd !== null
  const origin = isOwn ? '' : layer.kind === 'organization' ? ' by default' : ', inherited'
  if (!resolvedSettings.cbEnabled) return <Badge>Off{origin}</Badge>
  return <Badge tone="good">On{origin}</Badge>
}

function Spend({ breaker, window }: { readonly breaker: LayerBreaker; readonly window: 'minute' | 'hour' }) {
  const { resolvedSettings, liveSpend } = breaker
  const [spent, limit] =
    window === 'minute'
      ? [liveSpend.minuteSpend, resolvedSettings.cbMinuteUsd]
      : [liveSpend.hourSpend, resolvedSettings.cbHourlyUsd]
  return (
    <BudgetFigures
      label={`Spend breaker, this ${window}`}
      spent={spent}
      held={0}
      budget={resolvedSettings.cbEnabled ? limit : null}
    />
  )
}

interface Fields {
  readonly state: 'inherit' | 'on' | 'off'
  readonly minute: string
  readonly hour: string
}

const enabledOf = { inherit: null, on: true, off: false } as const

function BreakerForm({ layer, breaker }: { readonly layer: Layer; readonly breaker: LayerBreaker }) {
  const client = useQueryClient()
  const { settings, resolvedSettings } = breaker
  const { register, handleSubmit, formState, watch } = useForm<Fields>({
    values: {
      state: settings.cbEnabled === null ? 'inherit' : settings.cbEnabled ? 'on' : 'off',
      minute: usdText(settings.cbMinuteUsd),
      hour: usdText(settings.cbHourlyUsd),
    },
    resetOptions: { keepDirtyValues: true },
  })
  const change = useMutation({
    mutationFn: ({ state, minute, hour }: Fields) =>
      changeLayerBreaker(layer, {
        cbEnabled: enabledOf[state],
        cbMinuteUsd: optionalAmountBody(minute),
        cbHourlyUsd: optionalAmountBody(hour),
      }),
    onSuccess: async (changed) => {
      client.setQueryData(layerBreakerQuery(layer).queryKey, changed)
      toast(changed.resolvedSettings.cbEnabled ? 'Spend breaker is on.' : 'Spend breaker is off.')
      await Promise.all(['members', 'teams'].map((name) => client.invalidateQueries({ queryKey: [name, layer.orgId] })))
    },
  })
  const inherited = layer.kind === 'organization' ? 'Default' : 'Inherit'
  const hint = layer.kind === 'organization' ? 'Leave empty for the default.' : 'Leave empty to inherit.'
  const submit = handleSubmit((fields) => change.mutate(fields))
  const draft = draftOf(watch(), resolvedSettings)
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)} noValidate>
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField
          label="Spend breaker"
          choices={[
            { value: 'inherit', label: inherited },
            { value: 'on', label: 'On' },
            { value: 'off', label: 'Off' },
          ]}
          {...register('state')}
        />
        <TextField
          label="Limit per minute (USD)"
          hint={hint}
          inputMode="decimal"
          placeholder={usdText(resolvedSettings.cbMinuteUsd)}
          error={formState.errors.minute?.message}
          {...register('minute', budgetRule)}
        />
        <TextField
          label="Limit per hour (USD)"
          hint={hint}
          inputMode="decimal"
          placeholder={usdText(resolvedSettings.cbHourlyUsd)}
          error={formState.errors.hour?.message}
          {...register('hour', budgetRule)}
        />
      </div>
      {formState.isDirty ? <BacktestNote layer={layer} draft={draft} /> : null}
      <Button type="submit" className="self-end" isBusy={change.isPending}>
        Save breaker
      </Button>
    </form>
  )
}

/** The limits that would apply. An empty field keeps the resolved one. */
function draftOf({ state, minute, hour }: Fields, resolved: LayerBreaker['resolvedSettings']): ControlsDraft {
  const isOn = enabledOf[state] ?? resolved.cbEnabled
  if (!isOn) return {}
  return {
    cbMinuteUsd: minute.trim() === '' ? usdText(resolved.cbMinuteUsd) : minute,
    cbHourlyUsd: hour.trim() === '' ? usdText(resolved.cbHourlyUsd) : hour,
  }
}
