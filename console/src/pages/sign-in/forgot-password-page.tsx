import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { callAuth } from '../../api/auth.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { BackToSignIn } from './sign-up-page.tsx'

/** Requests a password reset link. The response is the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const { register, handleSubmit, formState } = useForm<{ email: string }>()
  const ask = handleSubmit(async ({ email }) => {
    setFailure(null)
    try {
      await callAuth('/request-password-reset', { email, redirectTo: '/console/reset-password' })
      setSentTo(email)
    } catch (error) {
      setFailure(error)
    }
  })
  if (sentTo !== null) {
    return (
      <EntryFrame title="Check your email" footer={<BackToSignIn />}>
        <p className="text-sm">
          If <span className="font-medium">{sentTo}</span> has an account, we've sent a password reset link. It works
          once and expires in an hour.
        </p>
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title="Reset your password" footer={<BackToSignIn />}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void ask(event)} noValidate>
        {failure === null ? null : <ErrorNote error={failure} />}
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          error={formState.errors.email?.message}
          {...register('email', { required: 'Enter your email address.' })}
        />
        <Button kind="primary" type="submit" isBusy={formState.isSubmitting}>
          Send reset link
        </Button>
      </form>
    </EntryFrame>
  )
}
