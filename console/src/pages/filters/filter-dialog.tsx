import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import {
  changeFilter,
  createFilter,
  type FilterBody,
  type FilterRule,
  type FilterTemplate,
  filtersQuery,
  tryFilters,
} from '../../api/filters.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { emptyFilter, type FilterFields, fieldsOf, filterBodyOf, matcherOf } from './filter-fields.ts'
import { FilterForm } from './filter-form.tsx'
import { TrialResult } from './trial-result.tsx'

/** Creates or edits a filter. Its effect on a text is shown before it is saved. */
export function FilterDialog({
  organizationId,
  rule,
  templates,
  onClose,
}: {
  readonly organizationId: string
  /** Null for a new filter. */
  readonly rule: FilterRule | null
  readonly templates: readonly FilterTemplate[]
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const formId = useId()
  const form = useForm<FilterFields>({ defaultValues: rule === null ? emptyFilter : fieldsOf(rule) })
  const saving = useMutation({
    mutationFn: (body: FilterBody) =>
      rule === null ? createFilter(organizationId, body) : changeFilter(organizationId, rule.id, body),
    onSuccess: async ({ data }) => {
      onClose()
      toast(rule === null ? `${data.name} created.` : `${data.name} saved.`)
      await client.invalidateQueries({ queryKey: filtersQuery(organizationId).queryKey })
    },
  })
  const submit = form.handleSubmit((fields) => {
    const matcher = matcherOf(fields, templates)
    if (matcher !== null) saving.mutate(filterBodyOf(fields, matcher))
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={rule === null ? 'Create content filter' : `Edit ${rule.name}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>
            {rule === null ? 'Create filter' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {saving.error === null ? null : <ErrorNote error={saving.error} />}
        <FilterForm form={form} templates={templates} />
      </form>
      <Trial organizationId={organizationId} form={form} templates={templates} />
    </Dialog>
  )
}

/** Tries the filter as it is in the form. */
function Trial({
  organizationId,
  form,
  templates,
}: {
  readonly organizationId: string
  readonly form: UseFormReturn<FilterFields>
  readonly templates: readonly FilterTemplate[]
}) {
  const [text, setText] = useState('')
  const trial = useMutation({
    mutationFn: async (tried: string) => {
      const fields = form.getValues()
      const matcher = matcherOf(fields, templates)
      if (matcher === null) throw new Error('Choose what the filter matches first.')
      return tryFilters(organizationId, { text: tried, rule: { action: fields.action, matcher } })
    },
  })
  return (
    <section aria-label="Test this filter" className="mt-5 flex flex-col gap-3 border-line border-t pt-4">
      <TextArea
        label="Test this filter"
        placeholder="Paste sample text to check."
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button
        className="self-start"
        disabled={text.trim() === ''}
        isBusy={trial.isPending}
        onClick={() => trial.mutate(text)}
      >
        Test
      </Button>
      {trial.error === null ? null : <ErrorNote error={trial.error} />}
      {trial.data === undefined ? null : <TrialResult trial={trial.data} text={trial.variables} />}
    </section>
  )
}
