import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import {
  changeInstitutionKey,
  createInstitutionKey,
  type InstitutionKey,
  institutionKeysQuery,
} from '../../api/institutions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { changedTerms, emptyInstitution, fieldsOf, type InstitutionFields } from './institution-fields.ts'
import { InstitutionForm } from './institution-form.tsx'

/** Creates an institution key and shows its secret once, or edits one. */
export function InstitutionDialog({
  organizationId,
  of: key,
  onClose,
}: {
  readonly organizationId: string
  /** Null for a new key. */
  readonly of: InstitutionKey | null
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const formId = useId()
  const before = key === null ? emptyInstitution : fieldsOf(key)
  const form = useForm<InstitutionFields>({ defaultValues: before })
  const saving = useMutation({
    mutationFn: async (fields: InstitutionFields) => {
      const [name, eduConfig] = [fields.name.trim(), changedTerms(fields, before)]
      if (key === null) return (await createInstitutionKey(organizationId, { name, eduConfig })).key
      await changeInstitutionKey(organizationId, key.id, { name, eduConfig })
      return null
    },
    onSuccess: async (secret) => {
      if (secret === null) {
        onClose()
        toast('Institution key saved.')
      }
      await client.invalidateQueries({ queryKey: institutionKeysQuery(organizationId).queryKey })
    },
    gcTime: 0,
  })
  if (typeof saving.data === 'string') {
    return (
      <SecretDialog
        secret={saving.data}
        description="You won't be able to see it again. It opens nothing by itself, so you can publish it on a page for your people."
        onClose={onClose}
      />
    )
  }
  const submit = form.handleSubmit((fields) => saving.mutate(fields))
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={onClose}
      title={key === null ? 'Create institution key' : `Edit ${key.name}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>
            {key === null ? 'Create key' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {saving.error === null ? null : <ErrorNote error={saving.error} />}
        <InstitutionForm form={form} />
      </form>
    </Dialog>
  )
}
