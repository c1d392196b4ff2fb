import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { optionalAmountBody } from '../../api/amount-body.ts'
import { changeTeam, type Team, teamQuery } from '../../api/teams.ts'
import { roleWords } from '../../app/role-words.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { reachOf } from '../../app/wallet-rights.ts'
import { budgetRule, usdText } from '../../lib/budget-rule.ts'
import { keysRule } from '../../lib/keys-rule.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Section } from '../../ui/facts.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

interface Fields {
  /** Empty for the organization's default. */
  readonly role: '' | 'member' | 'team_admin'
  readonly budget: string
  readonly keys: string
}

const choices = [
  { value: '', label: "Organization's default" },
  { value: 'member', label: roleWords.member.label },
  { value: 'team_admin', label: roleWords.team_admin.label },
]

/** What new members of the team get. Empty fields are inherited. Only an organization admin changes the keys. */
export function TeamDefaults({ of: team }: { readonly of: Team }) {
  const organization = useOrganization()
  const { organizationId } = organization
  const client = useQueryClient()
  const isWhole = reachOf(organization, 'team.change') === 'organization'
  const keys = team.memberKeysMax === null ? '' : String(team.memberKeysMax)
  const { register, handleSubmit, formState } = useForm<Fields>({
    defaultValues: { role: team.defaultRole ?? '', budget: usdText(team.defaultMonthlyBudget), keys },
  })
  const change = useMutation({
    mutationFn: (fields: Fields) => {
      const defaultRole = fields.role === '' ? null : fields.role
      const body = {
        defaultMonthlyBudget: optionalAmountBody(fields.budget),
        // A changed role needs a recent sign-in.
        ...(defaultRole === team.defaultRole ? {} : { defaultRole }),
        ...(isWhole ? { memberKeysMax: fields.keys === '' ? null : Number(fields.keys) } : {}),
      }
      return withStepUp(() => changeTeam(organizationId, team.id, body))
    },
    onSuccess: ({ data }) => {
      client.setQueryData(teamQuery(organizationId, team.id).queryKey, data)
      toast('Defaults saved.')
    },
  })
  const submit = handleSubmit((fields) => change.mutate(fields))
  return (
    <Section title="Defaults for new members">
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Default role" choices={choices} {...register('role')} />
          <TextField
            label="Budget of each new member (USD)"
            hint="Leave empty for the organization's default."
            inputMode="decimal"
            error={formState.errors.budget?.message}
            {...register('budget', budgetRule)}
          />
        </div>
        {isWhole ? (
          <TextField
            label="API keys per member"
            hint="Leave empty for the organization's limit."
            inputMode="numeric"
            error={formState.errors.keys?.message}
            {...register('keys', keysRule)}
          />
        ) : null}
        <Button type="submit" className="self-end" isBusy={change.isPending}>
          Save defaults
        </Button>
      </form>
    </Section>
  )
}
