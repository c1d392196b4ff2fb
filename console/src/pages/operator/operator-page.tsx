import { useMutation } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { enterOperatorKey } from '../../api/operator.ts'
import { useOperatorKey } from '../../app/use-operator-key.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, Page } from '../../ui/page.tsx'

/**
 * Operators have a key, not a role: no session makes a person an operator. The pages below open once the key is
 * entered.
 */
export function OperatorPage() {
  return useOperatorKey() ? <Outlet /> : <KeyForm />
}

function KeyForm() {
  const form = useForm({ defaultValues: { secret: '' } })
  const entry = useMutation({ mutationFn: enterOperatorKey, gcTime: 0 })
  const submit = form.handleSubmit(({ secret }) => entry.mutate(secret.trim()))
  return (
    <Page
      title="Operator console"
      description="Orders, refunds, redemption codes, bank transfers, and reconciliation for all accounts."
    >
      <Card title="Enter your operator key" className="max-w-2xl">
        <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
          {entry.error === null ? null : <ErrorNote error={entry.error} />}
          <TextField
            label="Operator key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            hint="Kept in this tab only. Cleared on reload or after 10 minutes of inactivity."
            error={form.formState.errors.secret?.message}
            {...form.register('secret', { required: 'Enter your operator key.' })}
          />
          <p className="text-muted text-sm">
            Create one with <code className="font-mono text-xs">weir operator key create</code>. Changes made with it
            are recorded in the platform audit log.
          </p>
          <div>
            <Button kind="primary" type="submit" isBusy={entry.isPending}>
              Continue
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}
