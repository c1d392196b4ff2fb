import type { UseFormReturn } from 'react-hook-form'
import { budgetRule } from '../../lib/budget-rule.ts'
import { TextField } from '../../ui/field.tsx'
import type { CustomerFields } from './customer-body.ts'
import { markupRule } from './markup.ts'

interface FormOf {
  readonly form: UseFormReturn<CustomerFields>
}

const idRule = {
  required: 'Enter an ID.',
  pattern: {
    value: /^\s*(?!\.{1,2}\s*$)[\w.:@+~=|-]{1,128}\s*$/,
    message: 'Use 1 to 128 letters, digits, or characters of . : @ + ~ = | _ -',
  },
}

export function CustomerIdField({ form: { register, formState } }: FormOf) {
  return (
    <TextField
      label="ID"
      hint="Your own ID of the customer, as your requests name it."
      autoComplete="off"
      spellCheck={false}
      className="font-mono"
      error={formState.errors.id?.message}
      {...register('id', idRule)}
    />
  )
}

/** The name, the limits and the markup of a customer. */
export function CustomerSettingsFields({ form }: FormOf) {
  return (
    <>
      <TextField
        label="Name"
        hint="Optional. The customer does not see it."
        maxLength={200}
        autoComplete="off"
        {...form.register('name')}
      />
      <CustomerLimitFields form={form} />
      <CustomerMarkupField
        form={form}
        hint="Added to the cost to get your price for this customer. Leave empty for your default."
      />
      <p className="text-muted text-xs">
        Leave a limit empty for none. Days and months follow UTC. What the customer spent before counts.
      </p>
    </>
  )
}

export function CustomerLimitFields({ form: { register, formState } }: FormOf) {
  const { errors } = formState
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <TextField
        label="Daily limit (USD)"
        inputMode="decimal"
        error={errors.daily?.message}
        {...register('daily', budgetRule)}
      />
      <TextField
        label="Monthly limit (USD)"
        inputMode="decimal"
        error={errors.monthly?.message}
        {...register('monthly', budgetRule)}
      />
      <TextField
        label="Total limit (USD)"
        inputMode="decimal"
        error={errors.total?.message}
        {...register('total', budgetRule)}
      />
    </div>
  )
}

export function CustomerMarkupField({ form: { register, formState }, hint }: FormOf & { readonly hint: string }) {
  return (
    <TextField
      label="Markup (%)"
      hint={hint}
      inputMode="decimal"
      error={formState.errors.markup?.message}
      {...register('markup', markupRule)}
    />
  )
}
