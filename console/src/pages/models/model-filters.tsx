import type { Choice } from '../../ui/field.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { authorOf, modelSorts, type ModelSearch, parseModelSearch } from './model-search.ts'
import type { Model } from '../../api/models.ts'

const prices = [
  { value: '', label: 'Any price' },
  { value: '0', label: 'Free' },
  { value: '0.5', label: 'Input ≤ $0.50 / 1M' },
  { value: '1', label: 'Input ≤ $1 / 1M' },
  { value: '3', label: 'Input ≤ $3 / 1M' },
  { value: '10', label: 'Input ≤ $10 / 1M' },
]
const contexts = [
  { value: '', label: 'Any context' },
  { value: '32000', label: '≥ 32K tokens' },
  { value: '128000', label: '≥ 128K tokens' },
  { value: '400000', label: '≥ 400K tokens' },
  { value: '1000000', label: '≥ 1M tokens' },
]
const states = [
  { value: '', label: 'Any availability' },
  { value: 'yes', label: 'Available' },
  { value: 'no', label: 'Unavailable' },
]
const sorts: Readonly<Record<(typeof modelSorts)[number], string>> = {
  newest: 'Newest first',
  cheapest: 'Cheapest first',
  context: 'Longest context first',
  name: 'Name (A–Z)',
}

interface FilterProps {
  readonly models: readonly Model[]
  readonly search: ModelSearch
  readonly onChange: (next: ModelSearch) => void
}

/** Filters. Each is a search parameter, so a link shows the same models. */
export function ModelFilters({ models, search, onChange }: FilterProps) {
  const set = (key: keyof ModelSearch, value: string) => onChange(parseModelSearch({ ...search, [key]: value }))
  const select = (key: keyof ModelSearch, label: string, choices: readonly Choice[]) => (
    <div className="w-40 max-md:w-[calc(50%-0.25rem)]">
      <SelectField
        label={label}
        isLabelHidden
        choices={choices}
        value={search[key] ?? ''}
        onChange={(event) => set(key, event.target.value)}
      />
    </div>
  )
  return (
    <>
      <div className="w-64 max-md:w-full">
        <TextField
          label="Search models"
          isLabelHidden
          type="search"
          placeholder="Search by name or ID"
          value={search.q ?? ''}
          onChange={(event) => set('q', event.target.value)}
        />
      </div>
      {select('makes', 'Output', [
        { value: '', label: 'Any output' },
        ...counted(models, ({ architecture }) => architecture.output_modalities),
      ])}
      {select('takes', 'Input', [
        { value: '', label: 'Any input' },
        ...counted(models, ({ architecture }) => architecture.input_modalities),
      ])}
      {select('author', 'Developer', [
        { value: '', label: 'Any developer' },
        ...counted(models, (model) => [authorOf(model)]),
      ])}
      {select('price', 'Price', prices)}
      {select('context', 'Context', contexts)}
      {select('available', 'Availability', states)}
      {select('sort', 'Sort by', [
        { value: '', label: 'Default order' },
        ...modelSorts.map((value) => ({ value, label: sorts[value] })),
      ])}
    </>
  )
}

/** The values of a filter, with the number of models for each. */
function counted(models: readonly Model[], valuesOf: (model: Model) => readonly string[]): readonly Choice[] {
  const counts = new Map<string, number>()
  for (const value of models.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([value, count]) => ({ value, label: `${value} (${count})` }))
}
