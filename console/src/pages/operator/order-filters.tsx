import { getRouteApi } from '@tanstack/react-router'
import { CheckField, SelectField } from '../../ui/field.tsx'
import { stateWords } from '../credits/state-words.ts'
import { type AllOrdersSearch, orderStates } from './search.ts'
import { WalletField } from './wallet-field.tsx'

const route = getRouteApi('/app/operator/orders')

const states = [
  { value: '', label: 'All statuses' },
  ...orderStates.map((value) => ({ value, label: stateWords(value).name })),
]

/** Filters by state, wallet and mismatch, kept in the URL. */
export function OrderFilters() {
  const { state = '', mismatched, wallet = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: { readonly [Name in keyof AllOrdersSearch]: AllOrdersSearch[Name] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as AllOrdersSearch, replace: true })
  return (
    <>
      <div className="w-44">
        <SelectField
          label="Status"
          isLabelHidden
          choices={states}
          value={state}
          onChange={({ target }) => change({ state: orderStates.find((one) => one === target.value) })}
        />
      </div>
      <WalletField
        key={wallet}
        wallet={wallet}
        onChange={(next) => change({ wallet: next === '' ? undefined : next })}
      />
      <CheckField
        label="Mismatches only"
        checked={mismatched === true}
        onChange={({ target }) => change({ mismatched: target.checked ? true : undefined })}
      />
    </>
  )
}
