import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { changeOrganization, type Organization, organizationQuery } from '../../api/organization.ts'
import { cacheTimes } from '../../app/cache-times.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'

/** The time that answers stay cached, unless a key or a request overrides it. */
export function CacheCard({ of: organization }: { readonly of: Organization }) {
  const wallet = useOrganization()
  const client = useQueryClient()
  const { cacheTtlSeconds } = organization
  const current = cacheTtlSeconds === null ? '' : String(cacheTtlSeconds)
  const form = useForm<{ time: string }>({ defaultValues: { time: current } })
  const change = useMutation({
    mutationFn: ({ time }: { time: string }) =>
      changeOrganization(wallet.organizationId, { cacheTtlSeconds: time === '' ? null : Number(time) }),
    onSuccess: (changed) => {
      client.setQueryData(organizationQuery(wallet.organizationId).queryKey, changed)
      toast('Response cache saved.')
    },
  })
  const submit = form.handleSubmit((fields) => change.mutate(fields))
  const mayChange = mayAct(wallet, 'organization.change')
  return (
    <Card
      title="Response cache"
      description="Identical requests get the cached answer, without calling a provider. API keys and requests can override this setting."
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <SelectField
          label="Cache duration"
          disabled={!mayChange}
          choices={[{ value: '', label: 'Off' }, ...cacheTimes(current)]}
          {...form.register('time')}
        />
        {mayChange ? (
          <Button kind="primary" type="submit" className="self-end" isBusy={change.isPending}>
            Save
          </Button>
        ) : null}
      </form>
    </Card>
  )
}
