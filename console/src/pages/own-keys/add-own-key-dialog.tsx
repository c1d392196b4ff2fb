import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { createOwnKey, ownKeyProvidersQuery, ownKeysQuery } from '../../api/own-keys.ts'
import { withStepUp } from '../../api/step-up.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { OwnKeyFields, type OwnKeyFieldValues, wayFields } from './own-key-fields.tsx'

/** Adds a key. The gateway maps the provider's models that it knows. */
export function AddOwnKeyDialog({
  organizationId,
  onClose,
}: {
  readonly organizationId: string
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const providers = useQuery(ownKeyProvidersQuery(organizationId))
  const form = useForm<OwnKeyFieldValues>({
    defaultValues: { name: '', baseUrl: '', apiKey: '', way: 'openai', fallbackMode: 'seamless' },
  })
  const adding = useMutation({
    mutationFn: ({ name, baseUrl, apiKey, way, fallbackMode }: OwnKeyFieldValues) =>
      withStepUp(() =>
        createOwnKey(organizationId, {
          ...wayFields(way),
          ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
          name: name.trim(),
          apiKey: apiKey.trim(),
          fallbackMode,
        }),
      ),
    onSuccess: async ({ data }) => {
      toast(`${data.name} added with ${plural(data.modelMappings.length, 'model')}.`)
      await client.invalidateQueries({ queryKey: ownKeysQuery(organizationId).queryKey })
      await navigate({ to: '/own-keys/$ownKeyId', params: { ownKeyId: data.id }, search: {}, replace: true })
    },
    gcTime: 0,
  })
  const submit = form.handleSubmit((fields) => adding.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add own key"
      description="Weir maps the provider's models to those in its catalog."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-own-key" isBusy={adding.isPending}>
            Add key
          </Button>
        </>
      }
    >
      <form id="add-own-key" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {adding.error === null ? null : <ErrorNote error={adding.error} />}
        <OwnKeyFields form={form} isNew providers={providers.data ?? []} />
      </form>
    </Dialog>
  )
}
