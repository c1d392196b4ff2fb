import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { createOrganization } from '../../api/organization.ts'
import { scopeOf } from '../../app/scope-rewrite.ts'
import { organizationsQuery } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'

/** Creates an organization and opens it. */
export function NewOrganizationPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<{ name: string }>({ defaultValues: { name: '' } })
  const creation = useMutation({
    mutationFn: ({ name }: { name: string }) => createOrganization(name.trim()),
    onSuccess: async ({ name, slug }) => {
      // The scope in the URL is found in this list.
      await client.fetchQuery({ ...organizationsQuery, staleTime: 0 })
      toast(`${name} created.`)
      await navigate({ to: '/', search: { scope: scopeOf(slug) } })
    },
  })
  const submit = form.handleSubmit((fields) => creation.mutate(fields))
  return (
    <Page title="New organization" description="A workspace with its own credit, members, teams, and budgets.">
      <Card className="max-w-xl">
        <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
          {creation.error === null ? null : <ErrorNote error={creation.error} />}
          <TextField
            label="Name"
            maxLength={100}
            placeholder="Acme"
            error={form.formState.errors.name?.message}
            {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          />
          <p className="text-muted text-sm">You become its administrator. It starts without credit.</p>
          <div>
            <Button kind="primary" type="submit" isBusy={creation.isPending}>
              Create organization
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}
