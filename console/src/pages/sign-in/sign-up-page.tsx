import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { callAuth } from '../../api/auth.ts'
import { consoleStateQuery } from '../../api/console-state.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { afterSignIn } from './after-sign-in.ts'
import { EntryFrame } from './entry-frame.tsx'
import { ownPath } from './own-path.ts'

interface Fields {
  readonly name: string
  readonly email: string
  readonly password: string
}

const route = getRouteApi('/sign-up')

/** The target of the confirmation link in the email. Sign-in then continues where the person came from. */
function callbackOf(next: string | undefined): string {
  const target = new URLSearchParams({ notice: 'confirmed', ...(next === undefined ? {} : { next }) })
  return `/console/sign-in?${target}`
}

export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const state = useQuery(consoleStateQuery)
  const router = useRouter()
  const { next, email } = route.useSearch()
  const callbackURL = callbackOf(next)
  const { register, handleSubmit, formState } = useForm<Fields>({ defaultValues: { email: email ?? '' } })
  const signUp = handleSubmit(async (fields) => {
    setFailure(null)
    try {
      await callAuth('/sign-up/email', { ...fields, callbackURL })
      if (state.data?.sign_in.confirms_address !== false) return setSentTo(fields.email)
      await callAuth('/sign-in/email', { email: fields.email, password: fields.password })
      await afterSignIn()
      router.history.push(`/console${ownPath(next)}`)
    } catch (error) {
      setFailure(error)
    }
  })
  if (sentTo !== null) return <MailSent email={sentTo} callbackURL={callbackURL} />
  const { errors } = formState
  return (
    <EntryFrame title="Create your account" footer={<BackToSignIn />}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void signUp(event)} noValidate>
        {failure === null ? null : <ErrorNote error={failure} />}
        <TextField
          label="Name"
          autoComplete="name"
          error={errors.name?.message}
          {...register('name', { required: 'Enter your name.' })}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email', { required: 'Enter your email address.' })}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters."
          error={errors.password?.message}
          {...register('password', {
            minLength: { value: 10, message: 'Use at least 10 characters.' },
            maxLength: { value: 128, message: 'Use at most 128 characters.' },
            required: 'Enter a password.',
          })}
        />
        <Button kind="primary" type="submit" isBusy={formState.isSubmitting}>
          Create account
        </Button>
      </form>
    </EntryFrame>
  )
}

function MailSent({ email, callbackURL }: { readonly email: string; readonly callbackURL: string }) {
  const again = async () => {
    await callAuth('/send-verification-email', { email, callbackURL })
    toast('Email sent again.')
  }
  return (
    <EntryFrame title="Check your email" footer={<BackToSignIn />}>
      <p className="text-sm">
        We sent a link to <span className="font-medium">{email}</span>. Open it to verify your address, then sign in.
      </p>
      <Button className="mt-4 w-full" onClick={() => void again().catch(toastError)}>
        Resend email
      </Button>
    </EntryFrame>
  )
}

export function BackToSignIn() {
  return (
    <Link to="/sign-in" className="font-medium text-accent-strong underline underline-offset-2">
      Back to sign in
    </Link>
  )
}
