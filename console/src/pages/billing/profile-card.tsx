import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type BillingProfile, profileQuery, saveProfile } from '../../api/billing.ts'
import { withStepUp } from '../../app/step-up.ts'
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

/** Who receipts and invoices are for. */
export function ProfileCard({ ownerId, mayChange }: Props) {
  const profile = useQuery(profileQuery(ownerId))
  return (
    <Card title="Receipts and invoices are for">
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
  if (profile === null) return <p className="text-muted text-sm">An administrator has not said it yet.</p>
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
      toast('Saved. Documents that were issued stay as they are.')
      client.setQueryData(profileQuery(ownerId).queryKey, saved)
      // The country decides about the tax.
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
        {...form.register('name', { required: 'A person or a company.', maxLength: 200 })}
      />
      <TextArea label="Address" autoComplete="street-address" {...form.register('address', { maxLength: 500 })} />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="Country"
          autoComplete="country"
          placeholder="DE"
          hint="Two letters. It decides the tax."
          error={errors.country?.message}
          {...form.register('country', { pattern: { value: /^[A-Za-z]{2}$/, message: 'Two letters, such as DE.' } })}
        />
        <TextField
          label="Kind of tax id"
          placeholder="eu_vat"
          error={errors.taxIdKind?.message}
          {...form.register('taxIdKind', {
            pattern: { value: /^[a-z][a-z0-9_]*$/, message: 'Such as eu_vat.' },
          })}
        />
        <TextField label="Tax id" {...form.register('taxId', { maxLength: 50 })} />
      </div>
      <TextField
        label="Mail documents to"
        type="email"
        autoComplete="email"
        hint="Empty: to the owner of the account."
        {...form.register('email')}
      />
      <div>
        <Button kind="primary" type="submit" isBusy={saving.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
