import type { FilterField } from '../../ui/filter-field.ts'
import { documentName } from './document-names.ts'
import { documentKinds } from './search.ts'

export const kindFilter: FilterField = {
  name: 'kind',
  label: 'Type',
  type: 'choice',
  choices: documentKinds.map((value) => ({ value, label: `${documentName(value)}s` })),
}
