import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { callAuth } from '../api/auth.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { CheckField, TextField } from '../ui/field.tsx'

interface Fields {
  readonly code: string
  readonly trustDevice: boolean
}

/** The second sign-in step: a code from the authenticator app, or a backup code. */
export function SecondFactorForm({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const [isBackup, setBackup] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { register, handleSubmit, formState, reset } = useForm<Fields>({
    defaultValues: { code: '', trustDevice: false },
  })
  const verify = handleSubmit(async ({ code, trustDevice }) => {
    setFailure(null)
    try {
      const path = isBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
      await callAuth(path, { code: code.replaceAll(' ', ''), trustDevice })
      await onSignedIn()
    } catch (error) {
      setFailure(error)
    }
  })
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void verify(event)} noValidate>
      {failure === null ? null : <ErrorNote error={failure} />}
      <TextField
        label={isBackup ? 'Backup code' : 'Code from your authenticator app'}
        inputMode={isBackup ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoFocus
        className="font-mono"
        error={formState.errors.code?.message}
        {...register('code', { required: 'Enter the code.' })}
      />
      <CheckField label="Trust this device for 30 days" {...register('trustDevice')} />
      <Button kind="primary" type="submit" isBusy={formState.isSubmitting}>
        Verify
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          setBackup(!isBackup)
          reset()
        }}
      >
        {isBackup ? 'Use authenticator app' : 'Use a backup code'}
      </Button>
    </form>
  )
}
