import type { UseFormReturn } from 'react-hook-form'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { KeyFields } from './new-key-body.ts'

const kinds = [
  { value: 'standard', label: 'Standard: calls models' },
  { value: 'management', label: 'Management: makes and ends keys' },
]
const periods = [
  { value: '', label: 'over its whole life' },
  { value: 'daily', label: 'a day' },
  { value: 'weekly', label: 'a week' },
  { value: 'monthly', label: 'a month' },
]
const lives = [
  { value: '', label: 'never' },
  { value: '1', label: 'after a day' },
  { value: '7', label: 'after a week' },
  { value: '30', label: 'after 30 days' },
  { value: '90', label: 'after 90 days' },
  { value: '365', label: 'after a year' },
]

export function NewKeyFields({ form: { register, formState } }: { readonly form: UseFormReturn<KeyFields> }) {
  const { errors } = formState
  return (
    <>
      <TextField
        label="Name"
        hint="What uses it: laptop, nightly-report."
        maxLength={100}
        error={errors.name?.message}
        {...register('name', { required: 'Give the key a name.' })}
      />
      <SelectField label="Kind" choices={kinds} {...register('kind')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Spend limit, USD"
          hint="Empty: no limit of its own."
          inputMode="decimal"
          error={errors.limit?.message}
          {...register('limit', {
            pattern: { value: /^\s*\d{0,9}(\.\d{1,9})?\s*$/, message: 'An amount such as 5 or 0.50.' },
          })}
        />
        <SelectField label="In which time" choices={periods} {...register('period')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Ends" choices={lives} {...register('days')} />
        <TextField label="Networks" hint="10.0.0.0/8, 192.0.2.1. Empty: from everywhere." {...register('networks')} />
      </div>
    </>
  )
}
