import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createPricePlan, pricePlanQuery } from '../../../api/price-plans.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { CheckField, TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Plans the changes of a catalog file. Nothing changes before the plan is approved. */
export function PlanFileDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [replace, setReplace] = useState(false)
  const planning = useMutation({
    mutationFn: async (chosen: File) => createPricePlan({ name: chosen.name, file: await chosen.text(), replace }),
    onSuccess: async (plan) => {
      onClose()
      toast(plan === null ? 'The catalog is up to date with this file.' : 'Plan created. Nothing has changed yet.')
      await client.invalidateQueries({ queryKey: pricePlanQuery.queryKey })
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Plan from file"
      description="Compares a catalog file with the catalog, and shows what would change."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={planning.isPending}
            disabled={file === null}
            onClick={() => (file === null ? undefined : planning.mutate(file))}
          >
            Create plan
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {planning.error === null ? null : <ErrorNote error={planning.error} />}
        <TextField
          label="Catalog file (JSON)"
          type="file"
          accept=".json,application/json"
          className="py-1"
          onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        />
        <CheckField
          label="The file is complete"
          hint="Unlist models that it does not contain. They can still be called."
          checked={replace}
          onChange={({ target }) => setReplace(target.checked)}
        />
      </div>
    </Dialog>
  )
}
