import { useQuery } from '@tanstack/react-query'
import { FingerprintPattern } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { callAuth } from '../api/auth.ts'
import { consoleStateQuery } from '../api/console-state.ts'
import { signInWithPasskey } from '../api/passkeys.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { SignOnOffer } from './sign-on-offer.tsx'
import { SocialButtons } from './social-buttons.tsx'

interface Fields {
  readonly email: string
  readonly password: string
}

interface CredentialsFormProps {
  /** Called once a session exists. */
  readonly onSignedIn: () => Promise<void>
  /** The initial email address. It is read-only during step-up authentication. */
  readonly email?: string | undefined
  /** Content below the password. */
  readonly aside?: ReactNode
  /** The URL that social sign-in providers redirect to. If it is missing, no provider is offered. */
  readonly callbackUrl?: string
}

/** All sign-in methods: password and code, passkey, and social providers. */
export function CredentialsForm({ onSignedIn, email, aside, callbackUrl }: CredentialsFormProps) {
  const state = useQuery(consoleStateQuery)
  const [step, setStep] = useState<'password' | 'code'>('password')
  const [failure, setFailure] = useState<unknown>(null)
  const { register, handleSubmit, watch, formState } = useForm<Fields>({
    defaultValues: { email: email ?? '', password: '' },
  })
  const attempt = async (sign: () => Promise<unknown>) => {
    setFailure(null)
    try {
      const answer = await sign()
      if (isHalf(answer)) setStep('code')
      else await onSignedIn()
    } catch (error) {
      setFailure(error)
    }
  }
  if (step === 'code') return <SecondFactorForm onSignedIn={onSignedIn} />
  const signIn = handleSubmit((fields) => attempt(() => callAuth('/sign-in/email', { ...fields })))
  return (
    <div className="flex flex-col gap-4">
      {failure === null ? null : <ErrorNote error={failure} />}
      <form className="flex flex-col gap-4" onSubmit={(event) => void signIn(event)} noValidate>
        <TextField
          label="Email"
          type="email"
          autoComplete="username webauthn"
          readOnly={email !== undefined}
          error={formState.errors.email?.message}
          {...register('email', { required: 'Enter your email address.' })}
        />
        <SignOnOffer email={watch('email')} next={callbackUrl ?? location.pathname + location.search} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password', { required: 'Enter your password.' })}
        />
        {aside}
        <Button kind="primary" type="submit" isBusy={formState.isSubmitting}>
          Sign in
        </Button>
      </form>
      {state.data?.sign_in.passkeys === true ? (
        <Button
          icon={<FingerprintPattern size={16} aria-hidden="true" />}
          onClick={() => void attempt(signInWithPasskey)}
        >
          Sign in with a passkey
        </Button>
      ) : null}
      {callbackUrl === undefined ? null : (
        <SocialButtons
          providers={state.data?.sign_in.providers ?? []}
          callbackUrl={callbackUrl}
          onFailure={setFailure}
        />
      )}
    </div>
  )
}

/** Whether the password was correct and a second-factor code is still required. */
function isHalf(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer
}
