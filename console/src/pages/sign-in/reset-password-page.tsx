import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { callAuth } from '../../api/auth.ts'
import { buttonClass, Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { BackToSignIn } from './sign-up-page.tsx'

const route = getRouteApi('/reset-password')

/**
 * The target of the password reset link. It removes the token from the address bar at once, so that it is not in the
 * history.
 */
export function ResetPasswordPage() {
  const search = route.useSearch()
  const [token] = useState(search.token)
  const [failure, setFailure] = useState<unknown>(null)
  const navigate = useNavigate()
  useEffect(() => {
    if (search.token !== undefined) void navigate({ to: '/reset-password', search: {}, replace: true })
  }, [search.token, navigate])
  const { register, handleSubmit, formState } = useForm<{ newPassword: string }>()
  const set = handleSubmit(async ({ newPassword }) => {
    setFailure(null)
    try {
      await callAuth('/reset-password', { token, newPassword })
      await navigate({ to: '/sign-in', search: { notice: 'reset' } })
    } catch (error) {
      setFailure(error)
    }
  })
  if (token === undefined) {
    return (
      <EntryFrame title="This link isn't valid" footer={<BackToSignIn />}>
        <p className="mb-4 text-sm">It was already used, or it's more than an hour old.</p>
        <Link to="/forgot-password" className={buttonClass('primary', 'normal', 'w-full')}>
          Request a new link
        </Link>
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title="Choose a new password" footer={<BackToSignIn />}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void set(event)} noValidate>
        {failure === null ? null : <ErrorNote error={failure} />}
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters. You'll be signed out everywhere."
          error={formState.errors.newPassword?.message}
          {...register('newPassword', {
            required: 'Enter a new password.',
            minLength: { value: 10, message: 'Use at least 10 characters.' },
          })}
        />
        <Button kind="primary" type="submit" isBusy={formState.isSubmitting}>
          Set password
        </Button>
      </form>
    </EntryFrame>
  )
}
