import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { callAuth } from '../../api/auth.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { QrCode } from './qr-code.tsx'

interface Enrolment {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/**
 * Turning it on: password, QR code, first code. Turning it off: password only. Secrets are stored in this component's
 * state.
 */
export default function SecondFactorDialog({
  isOn,
  onClose,
}: {
  readonly isOn: boolean
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const finish = async (text: string) => {
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    toast(text)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isOn ? 'Turn off two-factor authentication' : 'Turn on two-factor authentication'}
    >
      {enrolment === null ? (
        <PasswordStep
          isOn={isOn}
          onDone={(answer) =>
            isOn ? void finish('Two-factor authentication is off.') : setEnrolment(answer as Enrolment)
          }
        />
      ) : (
        <CodeStep enrolment={enrolment} onDone={() => void finish('Two-factor authentication is on.')} />
      )}
    </Dialog>
  )
}

function PasswordStep({ isOn, onDone }: { readonly isOn: boolean; readonly onDone: (answer: unknown) => void }) {
  const { register, handleSubmit, formState } = useForm<{ password: string }>()
  const ask = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      callAuth(isOn ? '/two-factor/disable' : '/two-factor/enable', { password }),
    onSuccess: onDone,
    gcTime: 0,
  })
  const submit = handleSubmit((fields) => ask.mutate(fields))
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {ask.error === null ? null : <ErrorNote error={ask.error} />}
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password', { required: 'Enter your password.' })}
      />
      <Button kind={isOn ? 'danger' : 'primary'} type="submit" isBusy={ask.isPending}>
        {isOn ? 'Turn off' : 'Continue'}
      </Button>
    </form>
  )
}

function CodeStep({ enrolment, onDone }: { readonly enrolment: Enrolment; readonly onDone: () => void }) {
  const { register, handleSubmit, formState } = useForm<{ code: string }>()
  const verify = useMutation({
    mutationFn: ({ code }: { code: string }) => callAuth('/two-factor/verify-totp', { code: code.replaceAll(' ', '') }),
    onSuccess: onDone,
  })
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? ''
  const submit = handleSubmit((fields) => verify.mutate(fields))
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <p className="text-sm">Scan the QR code with your authenticator app, or enter the key manually.</p>
      <div className="flex flex-col items-start gap-4 sm:flex-row">
        <QrCode text={enrolment.totpURI} label="QR code for your authenticator app" />
        <div className="w-full min-w-0 flex-1">
          <CodeBlock code={secret} label="Copy key" isWrapped />
        </div>
      </div>
      <div>
        <p className="mb-2 text-sm">Save these backup codes in case you lose access to your app. Each works once.</p>
        <CodeBlock code={enrolment.backupCodes.join('\n')} label="Copy backup codes" />
      </div>
      {verify.error === null ? null : <ErrorNote error={verify.error} />}
      <TextField
        label="Code from your authenticator app"
        inputMode="numeric"
        autoComplete="one-time-code"
        className="font-mono"
        error={formState.errors.code?.message}
        {...register('code', { required: 'Enter the code.' })}
      />
      <Button kind="primary" type="submit" isBusy={verify.isPending}>
        Turn on
      </Button>
    </form>
  )
}
