import { Wrench } from 'lucide-react'
import { operatorWords } from './operator-words.ts'
import { useOperator } from './use-operator.ts'

/** Tells the operator's pages apart from those of an account, on each of them. */
export function OperatorBar() {
  const { role } = useOperator()
  return (
    <aside
      aria-label="Operator"
      className="sticky top-0 z-30 col-span-full flex h-(--bar) items-center gap-2 bg-operator px-4 font-medium text-operator-ink text-xs"
    >
      <Wrench size={14} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 flex-1 truncate">
        {role === 'read_only' ? 'Operator: these pages show all accounts' : 'Operator: changes affect all accounts'}
      </span>
      {role === null ? null : <span className="shrink-0">{operatorWords[role].label}</span>}
    </aside>
  )
}
