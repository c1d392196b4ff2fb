import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { invite, type InviteOutcome } from '../../api/invitations.ts'
import { organizationQuery } from '../../api/organization.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct, reachOf } from '../../app/wallet-rights.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { inviteBodyOf, type InviteFields, type RecipientFields } from './invite-fields.ts'
import type { MemberFields } from './member-fields.ts'
import { MemberFormFields } from './member-form.tsx'
import { NoMailNote } from './no-mail-note.tsx'
import { findWrongAddress, parseAddresses } from './parse-addresses.ts'
import { SentInvitations } from './sent-invitations.tsx'

/** Invites people by email, or creates a link to share. Afterwards it shows each link once. */
export function InviteDialog({ emails, onClose }: { readonly emails?: string; readonly onClose: () => void }) {
  const [outcomes, setOutcomes] = useState<readonly InviteOutcome[] | null>(null)
  if (outcomes !== null) return <SentInvitations outcomes={outcomes} onClose={onClose} />
  return <InviteForm emails={emails ?? ''} onClose={onClose} onSent={setOutcomes} />
}

function InviteForm({
  emails,
  onClose,
  onSent,
}: {
  readonly emails: string
  readonly onClose: () => void
  readonly onSent: (outcomes: readonly InviteOutcome[]) => void
}) {
  const organization = useOrganization()
  const { organizationId } = organization
  const client = useQueryClient()
  const form = useForm<RecipientFields>({ defaultValues: { ...emptyRecipients, addresses: emails } })
  const terms = useTermsForm()
  const isTeamAdmin = reachOf(organization, 'members.manage') === 'own_team'
  const sending = useMutation({
    mutationFn: (fields: InviteFields) =>
      withStepUp(() => invite(organizationId, inviteBodyOf(fields, { isTeamAdmin }))),
    onSuccess: async (sent) => {
      onSent(sent)
      const mailed = sent.filter((outcome) => outcome.mailed).length
      if (mailed > 0) toast(`${plural(mailed, 'invitation')} sent.`)
      await client.invalidateQueries({ queryKey: ['invitations', organizationId] })
    },
  })
  const submit = form.handleSubmit((fields) => terms.handleSubmit((given) => sending.mutate({ ...fields, ...given }))())
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite people"
      description="They sign in or sign up, see the invitation, and accept it."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="invite" isBusy={sending.isPending}>
            {form.watch('way') === 'email' ? 'Send invitations' : 'Create link'}
          </Button>
        </>
      }
    >
      <form id="invite" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {sending.error === null ? null : <ErrorNote error={sending.error} />}
        <Recipients form={form} />
        <MemberFormFields form={terms} />
        <SelectField label="Expires after" choices={lifetimes} {...form.register('days')} />
      </form>
    </Dialog>
  )
}

const emptyRecipients: RecipientFields = { way: 'email', addresses: '', usesMax: '25', domain: '', days: '7' }

const lifetimes = [1, 7, 14, 30, 90].map((days) => ({ value: String(days), label: plural(days, 'day') }))

/** Starts with the defaults of the organization, for those who may read them. */
function useTermsForm() {
  const organization = useOrganization()
  const isReadable = mayAct(organization, 'organization.read')
  const { data } = useQuery({ ...organizationQuery(organization.organizationId), enabled: isReadable })
  const role = data?.defaultRole ?? 'member'
  const budget = usdText(data?.defaultMonthlyBudget ?? null)
  const values: MemberFields = { email: '', role, team: '', budget }
  return useForm<MemberFields>({ values, resetOptions: { keepDirtyValues: true } })
}

function Recipients({ form }: { readonly form: UseFormReturn<RecipientFields> }) {
  const { register, watch, formState } = form
  const ways = [
    { value: 'email', label: 'By email' },
    { value: 'link', label: 'By shared link' },
  ]
  if (watch('way') === 'email') {
    return (
      <>
        <SelectField label="Invite" choices={ways} {...register('way')} />
        <NoMailNote />
        <TextArea
          label="Email addresses"
          hint="Up to 100, separated by commas or lines."
          rows={4}
          error={formState.errors.addresses?.message}
          {...register('addresses', { validate: judgeAddresses })}
        />
      </>
    )
  }
  return (
    <>
      <SelectField label="Invite" choices={ways} {...register('way')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Maximum number of people"
          inputMode="numeric"
          error={formState.errors.usesMax?.message}
          {...register('usesMax', { pattern: { value: /^[1-9]\d{0,3}$/, message: 'Enter a number from 1 to 1000.' } })}
        />
        <TextField
          label="Email domain (optional)"
          placeholder="example.com"
          hint="Only people with an address in this domain can use the link."
          {...register('domain')}
        />
      </div>
    </>
  )
}

function judgeAddresses(text: string): string | true {
  const addresses = parseAddresses(text)
  const wrong = findWrongAddress(addresses)
  if (addresses.length === 0) return 'Enter at least one email address.'
  if (addresses.length > 100) return `These are ${addresses.length} addresses. Import more than 100 from a file.`
  return wrong === undefined ? true : `${wrong} is not an email address.`
}
