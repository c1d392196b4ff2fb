import { Wrench } from 'lucide-react'
import { operatorKey } from '../api/operator-key.ts'

/** Tells the operator's pages apart from those of an account, on each of them. */
export function OperatorBar() {
  return (
    <aside
      aria-label="Operator"
      className="sticky top-0 z-30 col-span-full flex h-(--bar) items-center gap-2 bg-operator px-4 font-medium text-operator-ink text-xs"
    >
      <Wrench size={14} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 flex-1 truncate">Operator: changes affect all accounts</span>
      <button type="button" onClick={operatorKey.forget} className="shrink-0 rounded underline underline-offset-2">
        Forget key
      </button>
    </aside>
  )
}
