import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { type ExactNumber, toNano } from '../../lib/money.ts'
import { BudgetBar } from '../../ui/budget-bar.tsx'
import { InlineAmount } from '../../ui/inline-amount.tsx'
import { Money } from '../../ui/money.tsx'
import { type AppliedBudget, bindingBudget } from './binding-limit.ts'

export interface ScopeBudget {
  readonly period: 'Weekly' | 'Monthly'
  readonly budget: ExactNumber | null
  readonly spent: ExactNumber
  readonly held: ExactNumber
  readonly onSave: ((text: string) => Promise<unknown>) | undefined
  /** Shown while the budget is edited. */
  readonly preview: (text: string) => ReactNode
}

/** One scope: its budgets with what is spent and on hold, its breaker, and the budget that runs out first. */
export function ScopeRow({
  name,
  label,
  depth,
  budgets,
  breaker,
  applied,
  isOpen,
  onToggle,
}: {
  /** For labels. */
  readonly name: string
  readonly label: ReactNode
  readonly depth: 0 | 1 | 2
  readonly budgets: readonly ScopeBudget[]
  readonly breaker: ReactNode
  /** Every budget that limits a request of the scope, the widest first. */
  readonly applied: readonly AppliedBudget[]
  readonly isOpen?: boolean
  /** Undefined if the scope has nothing inside. */
  readonly onToggle?: (() => void) | undefined
}) {
  const binding = bindingBudget(applied)
  return (
    <div
      data-scope={name}
      className="grid gap-x-6 gap-y-2 border-line border-b px-4 py-3 text-sm lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,1.3fr)_minmax(0,1.7fr)] lg:items-center"
    >
      <div className={classNames('flex min-w-0 items-center gap-1', indents[depth])}>
        {onToggle === undefined ? (
          <span className="size-6 shrink-0" />
        ) : (
          <button
            type="button"
            aria-label={`${isOpen === true ? 'Hide' : 'Show'} what is inside ${name}`}
            aria-expanded={isOpen === true}
            onClick={onToggle}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-raised hover:text-ink"
          >
            <ChevronRight
              size={16}
              aria-hidden="true"
              className={classNames('transition-transform', isOpen === true && 'rotate-90')}
            />
          </button>
        )}
        <div className="min-w-0">{label}</div>
      </div>
      <div className={classNames('flex flex-col gap-2 max-lg:pl-7', maxLgIndents[depth])}>
        {budgets.map((budget) => (
          <BudgetLine key={budget.period} name={name} {...budget} />
        ))}
      </div>
      <div className={classNames('text-muted text-xs max-lg:pl-7', maxLgIndents[depth])}>
        <span className="lg:hidden">Spend breaker: </span>
        {breaker}
      </div>
      <div className={classNames('text-xs max-lg:pl-7', maxLgIndents[depth])}>
        {binding === undefined ? (
          <span className="text-muted">No budget applies</span>
        ) : (
          <>
            <Money nano={binding.left} short className="font-medium" />{' '}
            <span className="text-muted">left of the {binding.name}</span>
          </>
        )}
      </div>
    </div>
  )
}

const indents = { 0: '', 1: 'pl-5', 2: 'pl-10' } as const
const maxLgIndents = { 0: '', 1: 'max-lg:ml-5', 2: 'max-lg:ml-10' } as const

function BudgetLine({ name, period, budget, spent, held, onSave, preview }: ScopeBudget & { readonly name: string }) {
  const [spentNano, heldNano] = [toNano(spent), toNano(held)]
  return (
    <div>
      <div className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-xs">
        <span className="text-muted">{period}</span>
        <span>
          <Money nano={spentNano} short className="font-medium" />
          {heldNano === 0n ? null : (
            <span className="text-muted">
              {' + '}
              <Money nano={heldNano} short /> on hold
            </span>
          )}
          <span className="text-muted">{budget === null ? ',' : ' of'}</span>
        </span>
        <InlineAmount label={`${period} budget of ${name}`} value={budget} onSave={onSave} preview={preview} />
      </div>
      {budget === null ? null : (
        <BudgetBar label={`${period} budget of ${name}`} spent={spentNano} held={heldNano} budget={toNano(budget)} />
      )}
    </div>
  )
}
