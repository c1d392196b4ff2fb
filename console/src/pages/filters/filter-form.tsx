import type { UseFormReturn } from 'react-hook-form'
import type { FilterTemplate } from '../../api/filters.ts'
import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import type { FilterFields } from './filter-fields.ts'
import { actionWords, kindWords } from './filter-words.ts'

const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }))
const actions = Object.entries(actionWords).map(([value, { label }]) => ({ value, label }))

/** The inputs of a filter. Those of the matcher depend on its kind. */
export function FilterForm({
  form: { register, formState, watch },
  templates,
}: {
  readonly form: UseFormReturn<FilterFields>
  readonly templates: readonly FilterTemplate[]
}) {
  const { errors } = formState
  return (
    <>
      <TextField
        label="Name"
        hint="Named in the audit log for each match, such as “No customer data”."
        maxLength={100}
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
      />
      <SelectField label="Match" choices={kinds} {...register('kind')} />
      {watch('kind') === 'template' ? (
        <SelectField
          label="Template"
          choices={[
            { value: '', label: 'Choose a template' },
            ...templates.map(({ template, title }) => ({ value: template, label: title })),
          ]}
          error={errors.template?.message}
          {...register('template', { required: 'Choose a template.' })}
        />
      ) : null}
      {watch('kind') === 'keyword' ? (
        <TextField
          label="Keyword"
          hint="A word or phrase in any case, not inside longer words."
          maxLength={200}
          error={errors.keyword?.message}
          {...register('keyword', { validate: (text) => text.trim() !== '' || 'Enter a word or phrase.' })}
        />
      ) : null}
      {watch('kind') === 'regex' ? (
        <>
          <TextField
            label="Pattern"
            hint="RE2 syntax, such as PRJ-\d{4}."
            className="font-mono"
            maxLength={1_000}
            error={errors.pattern?.message}
            {...register('pattern', { required: 'Enter a pattern.' })}
          />
          <CheckField label="Ignore case" {...register('ignoreCase')} />
        </>
      ) : null}
      <SelectField label="Action" hint={actionWords[watch('action')].hint} choices={actions} {...register('action')} />
      <CheckField label="Enabled" hint="A disabled filter is kept, but checks no requests." {...register('enabled')} />
    </>
  )
}
