import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type BillingProfile, profileQuery, saveProfile } from '../../api/billing.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { emptyProfile, type ProfileFields, profileBody, profileFields } from './profile-body.ts'

interface Props {
  readonly ownerId: string
  readonly mayChange: boolean
}

/** Billing details for receipts and invoices. */
export function ProfileCard({ ownerId, mayChange }: Props) {
  const profile = useQuery(profileQuery(ownerId))
  return (
    <Card title="Billing details" description="Shown on your receipts and invoices.">
      {profile.error === null ? null : <ErrorNote error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.data === undefined ? (
        profile.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : mayChange ? (
        <ProfileForm ownerId={ownerId} profile={profile.data} />
      ) : (
        <Shown profile={profile.data} />
      )}
    </Card>
  )
}

function Shown({ profile }: { readonly profile: BillingProfile | null }) {
  if (profile === null)
    return <p className="text-muted text-sm">No billing details yet. An organization admin can add them.</p>
  const lines = [profile.name, profile.address, profile.country, profile.tax_id, profile.email]
  return (
    <p className="whitespace-pre-line text-sm">{lines.filter((line) => line !== null && line !== '').join('\n')}</p>
  )
}

function ProfileForm({ ownerId, profile }: { readonly ownerId: string; readonly profile: BillingProfile | null }) {
  const client = useQueryClient()
  const form = useForm<ProfileFields>({ defaultValues: profile === null ? emptyProfile : profileFields(profile) })
  const saving = useMutation({
    mutationFn: (fields: ProfileFields) => withStepUp(() => saveProfile(ownerId, profileBody(fields))),
    onSuccess: async (saved) => {
      toast("Billing details saved. Documents already issued don't change.")
      client.setQueryData(profileQuery(ownerId).queryKey, saved)
      // The country determines the tax.
      await client.invalidateQueries({ queryKey: ['payment-quote'] })
    },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((fields) => saving.mutate(fields))
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {saving.error === null ? null : <ErrorNote error={saving.error} />}
      <TextField
        label="Name"
        autoComplete="organization"
        error={errors.name?.message}
        {...form.register('name', { required: 'Enter the name of a person or company.', maxLength: 200 })}
      />
      <TextArea label="Address" autoComplete="street-address" {...form.register('address', { maxLength: 500 })} />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="Country"
          autoComplete="country"
          placeholder="DE"
          hint="Two-letter code. Determines your tax."
          error={errors.country?.message}
          {...form.register('country', {
            pattern: { value: /^[A-Za-z]{2}$/, message: 'Enter a two-letter code, such as DE.' },
          })}
        />
        <TextField
          label="Tax ID type"
          placeholder="eu_vat"
          error={errors.taxIdKind?.message}
          {...form.register('taxIdKind', {
            pattern: { value: /^[a-z][a-z0-9_]*$/, message: 'Enter a type, such as eu_vat.' },
          })}
        />
        <TextField label="Tax ID" {...form.register('taxId', { maxLength: 50 })} />
      </div>
      <TextField
        label="Billing email"
        type="email"
        autoComplete="email"
        hint="Receives receipts and invoices. Leave empty to use the account owner's email."
        {...form.register('email')}
      />
      <div>
        <Button kind="primary" type="submit" isBusy={saving.isPending}>
          Save billing details
        </Button>
      </div>
    </form>
  )
}
