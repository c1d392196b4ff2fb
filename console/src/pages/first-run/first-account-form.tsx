import { useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { callAuth, callUnrecorded } from '../../api/auth.ts'
import { amountBody } from '../../api/amount-body.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { afterSignIn } from '../sign-in/after-sign-in.ts'

interface Fields {
  readonly token: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly organization: string
  readonly credit: string
}

/** Creates the first account with the token that `weir migrate` printed, and signs in. */
export function FirstAccountForm({ onMade }: { readonly onMade: () => void }) {
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<Fields>({
    defaultValues: { token: location.hash.slice(1), credit: '', organization: '' },
  })
  const { register, handleSubmit, formState } = form
  const { errors } = formState
  const make = handleSubmit(async ({ token, name, email, password, organization, credit }) => {
    setFailure(null)
    try {
      const named = organization.trim() === '' ? {} : { organization: organization.trim() }
      const granted = credit.trim() === '' ? {} : { credit_usd: amountBody(credit.trim()) }
      await callUnrecorded('/api/console/first-run', {
        token: token.trim(),
        name,
        email,
        password,
        ...named,
        ...granted,
      })
      await callAuth('/sign-in/email', { email, password })
      await afterSignIn()
      onMade()
    } catch (error) {
      setFailure(error)
    }
  })
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void make(event)} noValidate>
      {failure === null ? null : <ErrorNote error={failure} />}
      <TextField
        label="Setup token"
        hint="Printed by weir migrate and npm run dev."
        className="font-mono"
        autoComplete="off"
        error={errors.token?.message}
        {...register('token', { required: 'Enter the setup token.' })}
      />
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
          required: 'Enter a password.',
          minLength: { value: 10, message: 'Use at least 10 characters.' },
        })}
      />
      <StartFields form={form} />
      <Button kind="primary" type="submit" isBusy={formState.isSubmitting}>
        Create account
      </Button>
    </form>
  )
}

/** Optional fields. */
function StartFields({ form: { register, formState } }: { readonly form: UseFormReturn<Fields> }) {
  const { errors } = formState
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField label="Organization (optional)" hint="Create one to invite your team." {...register('organization')} />
      <TextField
        label="Starting credit (optional)"
        hint="In USD. Goes to the organization, if you create one."
        inputMode="decimal"
        error={errors.credit?.message}
        {...register('credit', {
          pattern: { value: /^\s*\d{0,9}(\.\d{1,9})?\s*$/, message: 'Enter an amount, such as 25.' },
        })}
      />
    </div>
  )
}
