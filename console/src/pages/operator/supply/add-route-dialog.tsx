import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addRoute, type NewRoute, providersQuery, routesQuery } from '../../../api/supply.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Sends the models of a pattern to an account. */
export function AddRouteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const providers = useQuery(providersQuery)
  const form = useForm<NewRoute>({ defaultValues: { pattern: '', account: '', upstreamModel: '', priority: 0 } })
  const adding = useMutation({
    mutationFn: addRoute,
    onSuccess: async () => {
      onClose()
      toast('Route added.')
      await Promise.all([
        client.invalidateQueries({ queryKey: routesQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['operator', 'route-explanation'] }),
      ])
    },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((route) => adding.mutate(route))
  const accounts = (providers.data ?? []).map(({ name }) => ({ value: name, label: name }))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add route"
      description="It takes effect within a second, and replaces wider patterns for the models that match."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-route" isBusy={adding.isPending}>
            Add route
          </Button>
        </>
      }
    >
      <form id="add-route" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {adding.error === null ? null : <ErrorNote error={adding.error} />}
        <TextField
          label="Pattern"
          className="font-mono"
          autoComplete="off"
          hint="A model ID, author/* or *."
          error={errors.pattern?.message}
          {...form.register('pattern', { required: 'Enter a pattern, such as openai/*.' })}
        />
        <SelectField
          label="Account"
          choices={[{ value: '', label: 'Choose an account' }, ...accounts]}
          error={errors.account?.message}
          {...form.register('account', { required: 'Choose an account.' })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Priority"
            type="number"
            hint="Lower numbers are tried first."
            error={errors.priority?.message}
            {...form.register('priority', { valueAsNumber: true, required: 'Enter a number.' })}
          />
          <TextField
            label="Upstream model (optional)"
            className="font-mono"
            autoComplete="off"
            hint="By default, the name in the catalog."
            {...form.register('upstreamModel')}
          />
        </div>
      </form>
    </Dialog>
  )
}
