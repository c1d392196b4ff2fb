import type { CatalogueChange } from '../../../api/price-plans.ts'
import { Badge } from '../../../ui/badge.tsx'
import { kindInWords, valueInWords } from './change-words.ts'

const shownMax = 200

/** The changes of a plan, model by model, those with doubts first. */
export function ChangesList({ changes }: { readonly changes: readonly CatalogueChange[] }) {
  const ordered = changes.toSorted((one, other) => Number(one.doubt === null) - Number(other.doubt === null))
  const byModel = Map.groupBy(ordered.slice(0, shownMax), ({ model }) => model)
  return (
    <div className="flex flex-col gap-4 text-sm">
      {[...byModel].map(([model, changed]) => (
        <section key={model} data-model={model}>
          <h3 className="font-medium font-mono text-xs">{model}</h3>
          <ul className="mt-1 flex flex-col gap-1">
            {changed.map((change) => (
              <li key={`${change.what} ${change.where}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
                <span className="w-28 shrink-0 text-muted">{kindInWords(change)}</span>
                <span className="w-52 shrink-0 break-words">{change.where}</span>
                <span className="figures min-w-0">
                  {valueInWords(change, change.from)} → {valueInWords(change, change.to)}
                </span>
                {change.doubt === null ? null : <Badge tone="warn">{change.doubt}</Badge>}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {changes.length > shownMax ? (
        <p className="text-muted text-xs">And {(changes.length - shownMax).toLocaleString('en')} more changes.</p>
      ) : null}
    </div>
  )
}
