import type { UseFormReturn } from 'react-hook-form'
import { budgetRule } from '../../lib/budget-rule.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import type { TeamFields } from './team-fields.ts'

/** The fields of a team. A team admin changes the description and the budget alone. */
export function TeamFormFields({
  form: { register, formState },
  isWhole,
}: {
  readonly form: UseFormReturn<TeamFields>
  readonly isWhole: boolean
}) {
  const { errors } = formState
  return (
    <>
      {isWhole ? (
        <TextField
          label="Name"
          maxLength={100}
          error={errors.name?.message}
          {...register('name', { required: 'Enter a name.' })}
        />
      ) : null}
      <TextArea label="Description" rows={2} maxLength={1000} {...register('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        {isWhole ? (
          <TextField
            label="Cost center"
            hint="As in your accounting. Reports and invoices show it."
            maxLength={100}
            {...register('costCenter')}
          />
        ) : null}
        <TextField
          label="Monthly budget (USD)"
          hint="For all members together. Leave empty for no budget."
          inputMode="decimal"
          error={errors.budget?.message}
          {...register('budget', budgetRule)}
        />
      </div>
    </>
  )
}
