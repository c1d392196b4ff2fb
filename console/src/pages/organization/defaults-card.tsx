import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { optionalAmountBody } from '../../api/amount-body.ts'
import { changeOrganization, type Organization, organizationQuery } from '../../api/organization.ts'
import { roleWords } from '../../app/role-words.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { budgetRule, usdText } from '../../lib/budget-rule.ts'
import { keysRule } from '../../lib/keys-rule.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'

interface Fields {
  readonly role: Organization['defaultRole']
  readonly budget: string
  readonly keys: string
}

const roles = (['member', 'billing_viewer'] as const).map((role) => ({ value: role, label: roleWords[role].label }))

/** What new members get, however they join, and how many keys members may create. */
export function DefaultsCard({ of: organization }: { readonly of: Organization }) {
  const wallet = useOrganization()
  const { organizationId } = wallet
  const client = useQueryClient()
  const { defaultRole, defaultMonthlyBudget, memberKeysMax } = organization
  const { register, handleSubmit, watch, formState } = useForm<Fields>({
    defaultValues: { role: defaultRole, budget: usdText(defaultMonthlyBudget), keys: String(memberKeysMax) },
  })
  const change = useMutation({
    mutationFn: ({ role, budget, keys }: Fields) => {
      const terms = { defaultMonthlyBudget: optionalAmountBody(budget), memberKeysMax: Number(keys) }
      // A changed role needs a recent sign-in.
      const body = role === defaultRole ? terms : { ...terms, defaultRole: role }
      return withStepUp(() => changeOrganization(organizationId, body))
    },
    onSuccess: (changed) => {
      client.setQueryData(organizationQuery(organizationId).queryKey, changed)
      toast('Defaults saved.')
    },
  })
  const submit = handleSubmit((fields) => change.mutate(fields))
  const isFixed = !mayAct(wallet, 'organization.change')
  return (
    <Card
      title="Defaults for new members"
      description="Applied unless an invitation, an import, or a team sets another value."
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Role"
            hint={roleWords[watch('role')].description}
            choices={roles}
            disabled={isFixed}
            {...register('role')}
          />
          <TextField
            label="Monthly budget (USD)"
            hint="Leave empty for no budget."
            inputMode="decimal"
            disabled={isFixed}
            error={formState.errors.budget?.message}
            {...register('budget', budgetRule)}
          />
        </div>
        <TextField
          label="API keys per member"
          hint="How many keys each member can create. With 0, only administrators create keys."
          inputMode="numeric"
          disabled={isFixed}
          error={formState.errors.keys?.message}
          {...register('keys', { required: 'Enter a number from 0 to 100.', ...keysRule })}
        />
        {isFixed ? null : (
          <Button kind="primary" type="submit" className="self-end" isBusy={change.isPending}>
            Save defaults
          </Button>
        )}
      </form>
    </Card>
  )
}
