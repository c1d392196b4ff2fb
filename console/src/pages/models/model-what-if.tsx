import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { api, dataOf } from '../../api/client.ts'
import { modelKindOf } from '../../api/inference-call.ts'
import { useWallet } from '../../app/wallet.ts'
import { type Nano, toNano } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Model } from '../../api/models.ts'

type Comparison = Awaited<ReturnType<typeof readWhatIf>>

/**
 * The cost of the last 30 days of text requests on this model. Renders nothing if the model is not priced by text
 * tokens.
 */
export function ModelWhatIf({ model }: { readonly model: Model }) {
  const wallet = useWallet()
  const isComparable = model.priced && modelKindOf(model.architecture.output_modalities) === 'chat'
  const comparison = useQuery({
    queryKey: ['what-if', wallet.organizationId, model.id],
    queryFn: () => readWhatIf({ ...wallet.query, model: model.id }),
    enabled: isComparable,
  })
  const { data, error } = comparison
  if (!isComparable || (error instanceof ApiError && error.code === 'model_not_priced')) return null
  return (
    <Card title="Your last 30 days at this model's prices">
      {error === null ? null : <ErrorNote error={error} onRetry={() => void comparison.refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-24 w-full" />
        ) : null
      ) : data.by_model.length === 0 ? (
        <p className="text-muted text-sm">No text requests in the last 30 days, so there's nothing to compare.</p>
      ) : (
        <Figures data={data} />
      )}
      {data === undefined ? null : <NotCompared rows={data.not_compared} />}
    </Card>
  )
}

function readWhatIf(query: { readonly organization?: string; readonly model: string }) {
  return dataOf(api.GET('/v1/insights/what-if', { params: { query } }))
}

function Figures({ data }: { readonly data: Comparison }) {
  const [spent, wouldCost] = [toNano(data.spent), toNano(data.would_cost)]
  return (
    <>
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <Figure label="Spend on all text models" nano={spent} />
        <Figure label="Would have cost" nano={wouldCost} />
        {spent === wouldCost ? null : (
          <Figure
            label={wouldCost < spent ? 'Savings' : 'Extra cost'}
            nano={wouldCost < spent ? spent - wouldCost : wouldCost - spent}
          />
        )}
      </div>
      <UseTable rows={data.by_model} />
      <p className="mt-3 max-w-3xl text-muted text-xs">
        Estimate: the same token counts at this model's base prices, without cache discounts or long-context pricing.
        Another model may use more or fewer tokens. The total and each row are rounded up separately to a nano-dollar.
      </p>
    </>
  )
}

/** The models that were used, and what each one's usage would have cost here. */
function UseTable({ rows }: { readonly rows: Comparison['by_model'] }) {
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label="Cost by model"
      className="mt-4 overflow-x-auto rounded-lg border border-line"
    >
      <table className="figures w-full min-w-[560px] text-sm">
        <thead>
          <tr className="border-line border-b text-left text-muted text-xs">
            <th scope="col" className="px-3 py-2 font-medium">
              Model used
            </th>
            <NumberHead>Requests</NumberHead>
            <NumberHead>Tokens</NumberHead>
            <NumberHead>Spend</NumberHead>
            <NumberHead>Would have cost</NumberHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((use) => (
            <tr key={use.model} className="border-line border-b last:border-b-0">
              <th scope="row" className="px-3 py-2 text-left font-mono font-normal text-xs">
                {use.model}
              </th>
              <td className="px-3 py-2 text-right">{count.format(Number(use.requests))}</td>
              <td className="px-3 py-2 text-right">
                {count.format(Number(use.prompt_tokens))} → {count.format(Number(use.completion_tokens))}
              </td>
              <td className="px-3 py-2 text-right">
                <Money usd={use.spent} />
              </td>
              <td className="px-3 py-2 text-right">
                <Money usd={use.would_cost} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const count = new Intl.NumberFormat('en')

function Figure({ label, nano }: { readonly label: string; readonly nano: Nano }) {
  return (
    <div>
      <div className="text-muted text-xs">{label}</div>
      <Money nano={nano} className="font-semibold text-xl" />
    </div>
  )
}

function NumberHead({ children }: { readonly children: string }) {
  return (
    <th scope="col" className="px-3 py-2 text-right font-medium">
      {children}
    </th>
  )
}

function NotCompared({ rows }: { readonly rows: Comparison['not_compared'] }) {
  if (rows.length === 0) return null
  const nano = rows.reduce((sum, { spent }) => sum + toNano(spent), 0n)
  const requests = rows.reduce((sum, row) => sum + Number(row.requests), 0)
  return (
    <p className="mt-2 text-muted text-xs" title={rows.map(({ model }) => model).join(', ')}>
      Not included: {plural(requests, 'request')} (<Money nano={nano} />) to models that don't generate text or are no
      longer listed.
    </p>
  )
}
