import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { teamsQuery } from '../../api/teams.ts'
import { roleWords } from '../../app/role-words.ts'
import { useOrganization } from '../../app/wallet.ts'
import { reachOf } from '../../app/wallet-rights.ts'
import { budgetRule } from '../../lib/budget-rule.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type MemberFields, roleChoices } from './member-fields.ts'

type Form = Pick<UseFormReturn<MemberFields>, 'register' | 'watch' | 'formState'>

/** Role, team and budget. A team admin sets them for the own team alone, so the team is fixed. */
export function MemberFormFields({ form, teamHint }: { readonly form: Form; readonly teamHint?: string }) {
  const { register, watch, formState } = form
  const organization = useOrganization()
  const isTeamAdmin = reachOf(organization, 'members.manage') === 'own_team'
  const teams = useQuery({ ...teamsQuery(organization.organizationId), enabled: !isTeamAdmin })
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Role"
          hint={roleWords[watch('role')].description}
          choices={roleChoices(isTeamAdmin)}
          {...register('role')}
        />
        {isTeamAdmin ? null : (
          <SelectField
            label="Team"
            hint={teamHint}
            error={formState.errors.team?.message}
            // The value of the form must be among the choices before the teams have arrived.
            choices={[
              { value: '', label: 'None' },
              ...(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...register('team', {
              validate: (team, { role }) => role !== 'team_admin' || team !== '' || 'Choose the team they manage.',
            })}
            key={teams.data === undefined ? 'waiting' : 'teams'}
          />
        )}
      </div>
      <TextField
        label="Monthly budget (USD)"
        hint="Resets on the 1st at 00:00 UTC. Leave empty for no budget."
        inputMode="decimal"
        error={formState.errors.budget?.message}
        {...register('budget', budgetRule)}
      />
    </>
  )
}
