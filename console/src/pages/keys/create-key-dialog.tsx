import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api, dataOf } from '../../api/client.ts'
import { amountBody } from '../../api/amount-body.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'

interface Fields {
  readonly name: string
  readonly limit: string
  readonly period: string
}

const periods = [
  { value: '', label: 'over its whole life' },
  { value: 'daily', label: 'a day' },
  { value: 'weekly', label: 'a week' },
  { value: 'monthly', label: 'a month' },
]

/** Creates a key, then shows its secret once: it lives in this component's state and nowhere else. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const { register, handleSubmit, formState } = useForm<Fields>({ defaultValues: { name: '', limit: '', period: '' } })
  const creation = useMutation({
    mutationFn: ({ name, limit, period }: Fields) =>
      dataOf(api.POST('/v1/keys', { body: { name, ...limitBody(limit, period) } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
    gcTime: 0,
  })
  if (creation.data !== undefined) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="Copy the secret now"
        description="It is shown this once, and we keep only a hash of it."
        actions={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <CodeBlock code={creation.data.key} label="Copy the secret" />
      </Dialog>
    )
  }
  const submit = handleSubmit((fields) => creation.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Create a key"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="create-key" isBusy={creation.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <form id="create-key" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {creation.error === null ? null : <ErrorNote error={creation.error} />}
        <TextField
          label="Name"
          hint="What uses it: laptop, nightly-report."
          maxLength={100}
          error={formState.errors.name?.message}
          {...register('name', { required: 'Give the key a name.' })}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Spend limit, USD"
            hint="Empty: no limit of its own."
            inputMode="decimal"
            error={formState.errors.limit?.message}
            {...register('limit', {
              pattern: { value: /^\s*\d{0,9}(\.\d{1,9})?\s*$/, message: 'An amount such as 5 or 0.50.' },
            })}
          />
          <SelectField label="In which time" choices={periods} {...register('period')} />
        </div>
      </form>
    </Dialog>
  )
}

function limitBody(limit: string, period: string) {
  if (limit.trim() === '') return {}
  return { limit: amountBody(limit.trim()), limit_reset: period === '' ? null : period }
}
