import type { FilterField } from '../../ui/filter-field.ts'
import { stateWords } from '../credits/state-words.ts'
import { orderStates } from './search.ts'

export const walletFilter: FilterField = {
  name: 'wallet',
  label: 'Customer',
  type: 'text',
  hint: 'Email, organization slug, or an ID.',
}

/** The filter chips of all orders. */
export const orderFields: readonly FilterField[] = [
  {
    name: 'state',
    label: 'Status',
    type: 'choice',
    choices: orderStates.map((value) => ({ value, label: stateWords(value).name })),
  },
  walletFilter,
  { name: 'mismatched', label: 'Mismatches only', type: 'flag' },
]
