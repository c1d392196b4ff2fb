import type { Model } from '../../api/models.ts'
import type { Choice } from '../../ui/field.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { formatTokens } from './format-tokens.ts'
import { authorOf } from './model-search.ts'

/** The filter chips of the catalogue. */
export function modelFields(models: readonly Model[]): readonly FilterField[] {
  const counted = (valuesOf: (model: Model) => readonly string[]) => ({
    type: 'choice' as const,
    choices: countedValues(models, valuesOf),
    isOpen: models.length === 0,
  })
  return [
    { name: 'makes', label: 'Output', ...counted(({ architecture }) => architecture.output_modalities) },
    { name: 'takes', label: 'Input', ...counted(({ architecture }) => architecture.input_modalities) },
    { name: 'author', label: 'Developer', ...counted((model) => [authorOf(model)]) },
    {
      name: 'price',
      label: 'Input price',
      type: 'number',
      hint: 'At most this many USD per 1M tokens; 0 for free models.',
      words: (usd) => (Number(usd) === 0 ? 'free' : `≤ $${usd} / 1M`),
    },
    {
      name: 'context',
      label: 'Context',
      type: 'number',
      hint: 'At least this many tokens.',
      words: (tokens) => `≥ ${formatTokens(Number(tokens))}`,
    },
    {
      name: 'available',
      label: 'Available',
      type: 'choice',
      choices: [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
      ],
    },
  ]
}

/** The values of a filter, with the number of models for each. */
function countedValues(models: readonly Model[], valuesOf: (model: Model) => readonly string[]): readonly Choice[] {
  const counts = new Map<string, number>()
  for (const value of models.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([value, count]) => ({ value, label: `${value} (${count})` }))
}
