import type { UseFormReturn } from 'react-hook-form'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { ConnectionFields } from './connection-fields.ts'
import { SamlInputs } from './saml-inputs.tsx'

interface FormProps {
  readonly form: UseFormReturn<ConnectionFields>
  readonly isNew: boolean
}

const kinds = [
  { value: 'oidc', label: 'OpenID Connect' },
  { value: 'saml', label: 'SAML 2.0' },
]

/** The inputs of an identity provider. Its protocol stays as it was added. */
export function ConnectionForm({ form, isNew }: FormProps) {
  const { register, formState, watch } = form
  const kind = watch('kind')
  return (
    <>
      {isNew ? <SelectField label="Protocol" choices={kinds} {...register('kind')} /> : null}
      <TextField
        label="Name"
        hint="Shown to administrators, such as Okta or Entra."
        maxLength={200}
        error={formState.errors.name?.message}
        {...register('name', { required: 'Enter a name.' })}
      />
      {kind === 'oidc' ? <OidcInputs form={form} isNew={isNew} /> : <SamlInputs form={form} isNew={isNew} />}
    </>
  )
}

function OidcInputs({ form: { register, formState }, isNew }: FormProps) {
  const { errors } = formState
  return (
    <>
      <TextField
        label="Issuer"
        hint="The provider's address, without /.well-known."
        placeholder="https://login.example.com"
        error={errors.issuer?.message}
        {...register('issuer', { required: 'Enter the issuer.' })}
      />
      <TextField
        label="Client ID"
        error={errors.clientId?.message}
        {...register('clientId', { required: 'Enter the client ID.' })}
      />
      <TextField
        label="Client secret"
        type="password"
        autoComplete="off"
        hint={isNew ? 'Stored encrypted.' : 'Leave empty to keep the current secret.'}
        error={errors.clientSecret?.message}
        {...register('clientSecret', isNew ? { required: 'Enter the client secret.' } : {})}
      />
      <TextField
        label="Groups claim"
        hint="The claim that lists a person's groups."
        error={errors.groupsClaim?.message}
        {...register('groupsClaim', { required: 'Enter the name of the claim.' })}
      />
    </>
  )
}
