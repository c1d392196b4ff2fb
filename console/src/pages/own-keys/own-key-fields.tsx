import type { UseFormReturn } from 'react-hook-form'
import type { OwnKey } from '../../api/own-keys.ts'
import { SelectField, TextField } from '../../ui/field.tsx'

export interface OwnKeyFieldValues {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly protocol: OwnKey['protocol']
  readonly fallbackMode: OwnKey['fallbackMode']
}

const protocols = [
  { value: 'openai', label: 'OpenAI compatible' },
  { value: 'anthropic', label: 'Anthropic' },
]
const fallbacks = [
  { value: 'seamless', label: "Use Weir's providers" },
  { value: 'strict', label: 'Return an error' },
]

/** The inputs of an own key. An existing key keeps its secret, so only a new one has an input for it. */
export function OwnKeyFields({
  form: { register, formState },
  isNew,
}: {
  readonly form: UseFormReturn<OwnKeyFieldValues>
  readonly isNew: boolean
}) {
  const { errors } = formState
  return (
    <>
      <TextField
        label="Name"
        maxLength={200}
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
      />
      <TextField
        label="Base URL"
        hint="The provider's API, such as https://api.openai.com/v1."
        className="font-mono"
        error={errors.baseUrl?.message}
        {...register('baseUrl', { required: "Enter the URL of the provider's API." })}
      />
      {isNew ? (
        <TextField
          label="Secret key"
          hint="Stored encrypted. You won't be able to see it again."
          type="password"
          autoComplete="off"
          className="font-mono"
          error={errors.apiKey?.message}
          {...register('apiKey', { required: 'Enter the key that the provider gave you.' })}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Protocol" choices={protocols} {...register('protocol')} />
        <SelectField label="If the provider fails" choices={fallbacks} {...register('fallbackMode')} />
      </div>
    </>
  )
}
