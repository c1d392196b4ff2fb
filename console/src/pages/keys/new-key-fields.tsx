import type { UseFormReturn } from 'react-hook-form'
import { cacheTimes } from '../../app/cache-times.ts'
import { spendPeriods } from '../../lib/spend-periods.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { KeyFields } from './new-key-body.ts'

const kinds = [
  { value: 'standard', label: 'Standard: call models' },
  { value: 'management', label: 'Management: create and delete keys' },
]
const periods = [
  { value: '', label: 'Never' },
  ...spendPeriods.map(({ adverb }) => ({ value: adverb, label: adverb.charAt(0).toUpperCase() + adverb.slice(1) })),
]
const lives = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
]

interface FormOf {
  readonly form: UseFormReturn<KeyFields>
}

export function NewKeyFields({
  form,
  hasKinds,
}: FormOf & {
  /** Whether the person may choose the type of the key. */
  readonly hasKinds: boolean
}) {
  const { register, formState } = form
  return (
    <>
      <TextField
        label="Name"
        hint="Where you use it, such as laptop or nightly-report."
        maxLength={100}
        error={formState.errors.name?.message}
        {...register('name', { required: 'Enter a name.' })}
      />
      {hasKinds ? <SelectField label="Type" choices={kinds} {...register('kind')} /> : null}
      <KeyLimitFields form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Expires" choices={lives} {...register('days')} />
        <KeyNetworksField form={form} />
      </div>
    </>
  )
}

export function KeyLimitFields({ form: { register, formState } }: FormOf) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Spend limit (USD)"
        hint="Leave empty for no key limit."
        inputMode="decimal"
        error={formState.errors.limit?.message}
        {...register('limit', {
          pattern: { value: /^\s*\d{0,9}(\.\d{1,9})?\s*$/, message: 'Enter an amount, such as 5 or 0.50.' },
        })}
      />
      <SelectField label="Limit resets" choices={periods} {...register('period')} />
    </div>
  )
}

export function KeyCacheField({ form: { register, getValues } }: FormOf) {
  return (
    <SelectField
      label="Response cache"
      hint="Returns the cached answer for identical requests, without calling a provider. The default is the organization's setting, or off for personal keys. A request can override it."
      choices={[{ value: '', label: 'Default' }, { value: '0', label: 'Off' }, ...cacheTimes(getValues('cacheTime'))]}
      {...register('cacheTime')}
    />
  )
}

export function KeyNetworksField({ form: { register } }: FormOf) {
  return (
    <TextField
      label="Allowed IP addresses"
      hint="Addresses or CIDR ranges, such as 192.0.2.1, 10.0.0.0/8. Leave empty to allow any."
      {...register('networks')}
    />
  )
}
