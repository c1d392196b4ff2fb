import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { withStepUp } from '../../api/step-up.ts'
import { useKeyHolder } from '../../app/key-holder.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { rotateKey } from './change-key.ts'
import type { Key } from '../../api/keys.ts'
import { KeySecretDialog } from './key-secret-dialog.tsx'

const overlaps = [
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 7 days' },
  { value: '0', label: 'Immediately' },
]

/** Gives a key a new secret, with an overlap for programs that use the previous one. */
export function RotateKeyDialog({ of: key, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const client = useQueryClient()
  const holder = useKeyHolder()
  const form = useForm({ defaultValues: { overlap: '3600' } })
  const rotation = useMutation({
    mutationFn: (overlap: string) => withStepUp(() => rotateKey(holder, key.id, { overlap_seconds: Number(overlap) })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
    gcTime: 0,
  })
  if (rotation.data !== undefined) {
    const { key: secret, keyType, former_expires_at: until } = rotation.data
    return (
      <KeySecretDialog secret={secret} isStandard={keyType === 'standard'} onClose={onClose}>
        <p className="text-sm">
          {until === null ? (
            'The old secret stops working within 15 seconds.'
          ) : (
            <>
              The old secret works until <Time iso={until} absolute />.
            </>
          )}
        </p>
      </KeySecretDialog>
    )
  }
  const submit = form.handleSubmit(({ overlap }) => rotation.mutate(overlap))
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Rotate ${key.name}`}
      description="Creates a new secret. The key's ID, limits, and history stay the same."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="rotate-key" isBusy={rotation.isPending}>
            Rotate key
          </Button>
        </>
      }
    >
      <form id="rotate-key" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {rotation.error === null ? null : <ErrorNote error={rotation.error} />}
        <SelectField
          label="Old secret expires"
          hint="A key can have two secrets at a time. Rotating again revokes the older one."
          choices={overlaps}
          {...form.register('overlap')}
        />
      </form>
    </Dialog>
  )
}
