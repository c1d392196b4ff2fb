import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { callAuth } from '../../api/auth.ts'
import { sessionQuery } from '../../api/session.ts'
import { queryClient } from '../../app/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { ownPath } from './own-path.ts'

const route = getRouteApi('/sign-in')

interface Fields {
  readonly email: string
  readonly password: string
}

export function SignInPage() {
  const { next } = route.useSearch()
  const router = useRouter()
  const { register, handleSubmit, setError, formState } = useForm<Fields>()
  const signIn = handleSubmit(async (fields) => {
    try {
      await callAuth('/sign-in/email', { ...fields })
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      router.history.push(`/console${ownPath(next)}`)
    } catch (error) {
      setError('root', { message: error instanceof Error ? error.message : 'Signing in failed.' })
    }
  })
  return (
    <EntryFrame title="Sign in to Weir">
      <form className="flex flex-col gap-4" onSubmit={(event) => void signIn(event)} noValidate>
        {formState.errors.root === undefined ? null : <ErrorNote error={new Error(formState.errors.root.message)} />}
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          error={formState.errors.email?.message}
          {...register('email', { required: 'Type your email address.' })}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password', { required: 'Type your password.' })}
        />
        <Button kind="primary" type="submit" isBusy={formState.isSubmitting}>
          Sign in
        </Button>
      </form>
    </EntryFrame>
  )
}
