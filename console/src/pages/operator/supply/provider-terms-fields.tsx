import type { UseFormReturn } from 'react-hook-form'
import type { NewProvider } from '../../../api/supply.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'

export const newProvider: NewProvider = {
  vendor: '',
  name: '',
  baseUrl: '',
  key: '',
  weight: 1,
  keepsPrompts: 'provider',
  variant: '',
  discount: '0',
}

const keeping = [
  { value: 'provider', label: "By the provider's policy" },
  { value: 'no', label: 'Not stored' },
  { value: 'yes', label: 'Stored' },
]

/** How an account takes part in routing, and what the operator pays there. */
export function ProviderTermsFields({ form: { register, formState } }: { readonly form: UseFormReturn<NewProvider> }) {
  const { errors } = formState
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Weight"
          type="number"
          hint="Share of requests among accounts of this provider."
          error={errors.weight?.message}
          {...register('weight', {
            valueAsNumber: true,
            required: 'Enter a number.',
            min: { value: 1, message: 'Enter 1 or more.' },
            max: { value: 1_000, message: 'Enter 1,000 or less.' },
          })}
        />
        <TextField
          label="Discount (%)"
          inputMode="decimal"
          hint="Lowers the provider cost, never the price."
          error={errors.discount?.message}
          {...register('discount', {
            required: 'Enter a percentage, such as 12.5.',
            pattern: { value: /^\d{1,3}(?:\.\d{1,4})?$/, message: 'Enter a percentage, such as 12.5.' },
          })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Prompts at the provider" choices={keeping} {...register('keepsPrompts')} />
        <TextField
          label="Region or tier (optional)"
          hint="Such as eu. By default, taken from the base URL."
          error={errors.variant?.message}
          {...register('variant', {
            pattern: { value: /^[a-z0-9._-]{0,63}$/, message: 'Use lowercase letters, digits, dots and dashes.' },
          })}
        />
      </div>
    </>
  )
}
