import { Controller, type UseFormReturn } from 'react-hook-form'
import { findMembers, findTeams } from '../../api/find-owners.ts'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { SelectField } from '../../ui/field.tsx'
import type { KeyFields } from './new-key-body.ts'

const places = [
  { value: 'member', label: 'A member' },
  { value: 'team', label: 'A team' },
  { value: 'shared', label: 'No one (shared)' },
]

/** Whom a new organization key belongs to. Its spend counts for that member or team. */
export function KeyOwnerFields({
  form: { register, control, watch, setValue },
  organizationId,
  mayShare,
}: {
  readonly form: UseFormReturn<KeyFields>
  readonly organizationId: string
  readonly mayShare: boolean
}) {
  const place = watch('belongsTo')
  const isTeam = place === 'team'
  const find = isTeam ? findTeams(organizationId) : findMembers(organizationId)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Belongs to"
        hint="Spend counts for this member or team."
        choices={mayShare ? places : places.filter(({ value }) => value !== 'shared')}
        {...register('belongsTo', { onChange: () => setValue('owner', null) })}
      />
      {place === 'shared' ? null : (
        <Controller
          key={place}
          control={control}
          name="owner"
          rules={{ validate: (owner) => owner !== null || (isTeam ? 'Choose a team.' : 'Choose a member.') }}
          render={({ field, fieldState }) => (
            <ChoiceField
              label={isTeam ? 'Team' : 'Member'}
              placeholder={isTeam ? 'Choose a team' : 'Choose a member'}
              find={find}
              chosen={field.value}
              error={fieldState.error?.message}
              onChoose={field.onChange}
            />
          )}
        />
      )}
    </div>
  )
}
