import type { UseFormReturn } from 'react-hook-form'
import { TextArea, TextField } from '../../ui/field.tsx'
import type { InstitutionFields } from './institution-fields.ts'

const whole = { value: /^\s*\d*\s*$/, message: 'Enter a whole number.' }
const duration = { value: /^\s*\d+(\.\d+)?\s*$/, message: 'Enter a number.' }
const amount = { value: /^\s*(?:\d{1,9}(?:\.\d{1,9})?)?\s*$/, message: 'Enter an amount, such as 2 or 0.50.' }

/** The inputs of an institution key. */
export function InstitutionForm({ form }: { readonly form: UseFormReturn<InstitutionFields> }) {
  const { register, formState } = form
  const { errors } = formState
  return (
    <>
      <TextField
        label="Name"
        hint="Who it is for, such as Campus or Library."
        maxLength={200}
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
      />
      <TextArea
        label="Email domains"
        hint="One per line. People with an address in these domains can sign in. List subdomains separately."
        className="font-mono"
        placeholder="university.edu"
        error={errors.domains?.message}
        {...register('domains', { validate: (text) => text.trim() !== '' || 'Enter at least one domain.' })}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="Session length (hours)"
          inputMode="decimal"
          error={errors.sessionHours?.message}
          {...register('sessionHours', { required: 'Enter a number.', pattern: duration })}
        />
        <TextField
          label="Code lifetime (minutes)"
          inputMode="decimal"
          error={errors.codeMinutes?.message}
          {...register('codeMinutes', { required: 'Enter a number.', pattern: duration })}
        />
        <TextField
          label="Sessions per person"
          inputMode="numeric"
          error={errors.sessionsMax?.message}
          {...register('sessionsMax', { required: 'Enter a number.', pattern: whole })}
        />
      </div>
      <Limits form={form} />
    </>
  )
}

/** The limits on codes, and the quotas of a session. */
function Limits({ form: { register, formState } }: { readonly form: UseFormReturn<InstitutionFields> }) {
  const { errors } = formState
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Codes per network (15 minutes)"
          hint="Raise it if many people share one address, such as on a campus."
          inputMode="numeric"
          error={errors.codesPerNetwork?.message}
          {...register('codesPerNetwork', { required: 'Enter a number.', pattern: whole })}
        />
        <TextField
          label="Codes per hour"
          hint="For all people together."
          inputMode="numeric"
          error={errors.codesPerHour?.message}
          {...register('codesPerHour', { required: 'Enter a number.', pattern: whole })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="Requests per session"
          hint="Leave empty for no limit."
          inputMode="numeric"
          error={errors.requestQuota?.message}
          {...register('requestQuota', { pattern: whole })}
        />
        <TextField
          label="Tokens per session"
          hint="Leave empty for no limit."
          inputMode="numeric"
          error={errors.tokenQuota?.message}
          {...register('tokenQuota', { pattern: whole })}
        />
        <TextField
          label="Spend per session (USD)"
          hint="Leave empty for no limit."
          inputMode="decimal"
          error={errors.spendQuota?.message}
          {...register('spendQuota', { pattern: amount })}
        />
      </div>
      <TextField
        label="Monthly spend per person (USD)"
        hint="Over all sessions of a person, from the 1st of the month (UTC). Leave empty for no limit."
        inputMode="decimal"
        error={errors.monthQuota?.message}
        {...register('monthQuota', { pattern: amount })}
      />
    </>
  )
}
