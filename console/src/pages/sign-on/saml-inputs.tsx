import { Upload } from 'lucide-react'
import { useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import type { ConnectionFields } from './connection-fields.ts'

interface InputsProps {
  readonly form: UseFormReturn<ConnectionFields>
}

const sources = [
  { value: 'url', label: 'Metadata URL' },
  { value: 'metadata', label: 'Metadata XML' },
  { value: 'fields', label: 'Manual entry' },
]

/** The inputs of a SAML provider. */
export function SamlInputs({ form, isNew }: InputsProps & { readonly isNew: boolean }) {
  const { register, formState, watch } = form
  const source = watch('source')
  return (
    <>
      <SelectField
        label="Provider settings"
        hint={
          isNew
            ? 'Most providers offer their metadata.'
            : "Read the metadata again when the provider's certificate changes."
        }
        choices={sources}
        {...register('source')}
      />
      {source === 'url' ? <MetadataUrl form={form} /> : null}
      {source === 'metadata' ? <MetadataText form={form} /> : null}
      {source === 'fields' ? <ManualInputs form={form} /> : null}
      <TextField
        label="Email attribute"
        hint="Exactly as the provider names it. Leave empty if the name ID is the email address."
        {...register('emailAttribute')}
      />
      <TextField
        label="Subject attribute"
        hint="Identifies a person permanently, such as an object ID. Leave empty if the name ID does and isn't an email address."
        {...register('subjectAttribute')}
      />
      <TextField
        label="Groups attribute"
        hint="The attribute that lists a person's groups."
        error={formState.errors.groupsClaim?.message}
        {...register('groupsClaim', { required: 'Enter the name of the attribute.' })}
      />
      <div className="text-sm">
        <CheckField
          label="Allow provider-initiated sign-in"
          hint="Less safe: they aren't bound to a browser."
          {...register('allowsUnsolicited')}
        />
      </div>
    </>
  )
}

function MetadataUrl({ form: { register, formState } }: InputsProps) {
  return (
    <TextField
      label="Metadata URL"
      hint="Read once, when you save."
      placeholder="https://login.example.com/metadata"
      error={formState.errors.metadataUrl?.message}
      {...register('metadataUrl', { required: 'Enter the metadata URL.' })}
    />
  )
}

function MetadataText({ form: { register, formState, setValue } }: InputsProps) {
  const file = useRef<HTMLInputElement>(null)
  const use = (text: string) => setValue('metadata', text, { shouldValidate: true })
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label="Metadata XML"
        rows={6}
        spellCheck={false}
        className="font-mono text-xs"
        error={formState.errors.metadata?.message}
        {...register('metadata', { required: 'Paste the metadata or choose its file.' })}
      />
      <div>
        <input
          ref={file}
          type="file"
          accept=".xml,text/xml,application/xml"
          aria-label="Metadata file"
          className="sr-only"
          onChange={({ target }) => void target.files?.[0]?.text().then(use)}
        />
        <Button size="small" icon={<Upload size={14} aria-hidden="true" />} onClick={() => file.current?.click()}>
          Choose file
        </Button>
      </div>
    </div>
  )
}

function ManualInputs({ form: { register, formState } }: InputsProps) {
  const { errors } = formState
  return (
    <>
      <TextField
        label="Entity ID"
        hint="The provider's issuer."
        error={errors.issuer?.message}
        {...register('issuer', { required: 'Enter the entity ID.' })}
      />
      <TextField
        label="Sign-in URL"
        placeholder="https://login.example.com/sso"
        error={errors.signInUrl?.message}
        {...register('signInUrl', { required: 'Enter the sign-in URL.' })}
      />
      <TextArea
        label="Certificates"
        rows={6}
        spellCheck={false}
        className="font-mono text-xs"
        hint="PEM. Add the new certificate below the old one while the provider changes it."
        error={errors.certificates?.message}
        {...register('certificates', { required: 'Paste the certificate.' })}
      />
    </>
  )
}
