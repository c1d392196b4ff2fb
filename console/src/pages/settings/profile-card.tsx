import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { callAuth } from '../../api/auth.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'

export function ProfileCard() {
  const client = useQueryClient()
  const { data } = useQuery(sessionQuery)
  const { register, handleSubmit, formState } = useForm<{ name: string }>({ values: { name: data?.user.name ?? '' } })
  const change = useMutation({
    mutationFn: (fields: { name: string }) => callAuth('/update-user', fields),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      toast('Name saved.')
    },
  })
  const save = handleSubmit((fields) => change.mutate(fields))
  return (
    <Card title="Profile">
      <form className="flex flex-col gap-4" onSubmit={(event) => void save(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            label="Name"
            autoComplete="name"
            error={formState.errors.name?.message}
            {...register('name', { required: 'Enter your name.' })}
          />
          <TextField
            label="Email"
            value={data?.user.email ?? ''}
            readOnly
            hint="Once verified, organizations can add you by this address."
          />
        </div>
        <div>
          <Button type="submit" disabled={!formState.isDirty} isBusy={change.isPending}>
            Save name
          </Button>
        </div>
      </form>
    </Card>
  )
}
