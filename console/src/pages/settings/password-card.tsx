import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { callAuth } from '../../api/auth.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'

interface Fields {
  readonly currentPassword: string
  readonly newPassword: string
  readonly revokeOtherSessions: boolean
}

const empty: Fields = { currentPassword: '', newPassword: '', revokeOtherSessions: true }

export function PasswordCard() {
  const client = useQueryClient()
  const { register, handleSubmit, formState, reset } = useForm<Fields>({ defaultValues: empty })
  const change = useMutation({
    mutationFn: (fields: Fields) => callAuth('/change-password', { ...fields }),
    onSuccess: async () => {
      reset(empty)
      await client.invalidateQueries({ queryKey: ['sessions'] })
      toast('Password changed.')
    },
  })
  const { errors } = formState
  const save = handleSubmit((fields) => change.mutate(fields))
  return (
    <Card title="Password">
      <form className="flex flex-col gap-4" onSubmit={(event) => void save(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...register('currentPassword', { required: 'Enter your current password.' })}
          />
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="At least 10 characters."
            error={errors.newPassword?.message}
            {...register('newPassword', {
              required: 'Enter a new password.',
              minLength: { value: 10, message: 'Use at least 10 characters.' },
            })}
          />
        </div>
        <CheckField label="Sign out all other sessions" {...register('revokeOtherSessions')} />
        <div>
          <Button type="submit" isBusy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  )
}
