import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Backtest, backtestQuery, type ControlsDraft } from '../api/backtest.ts'
import type { Layer } from '../api/layers.ts'
import { budgetRule } from '../lib/budget-rule.ts'
import { plural } from '../lib/plural.ts'
import { useSettled } from '../lib/use-settled.ts'
import { errorWords } from '../ui/error-note.tsx'
import { Money } from '../ui/money.tsx'
import { Time } from '../ui/time.tsx'
import { useWallet } from './wallet.ts'
import { mayAct } from './wallet-rights.ts'

const minuteMs = 60_000

/** Shows which requests of the last 30 days a control would have refused, while it is edited. */
export function BacktestNote({ layer, draft }: { readonly layer: Layer; readonly draft: ControlsDraft }) {
  const wallet = useWallet()
  const text = useSettled(JSON.stringify(draft))
  const settled = JSON.parse(text) as ControlsDraft
  const mayRun = mayAct(wallet, layer.kind === 'organization' ? 'backtest.organization' : 'backtest.team')
  const isComplete = isWhole(settled)
  const backtest = useQuery({ ...backtestQuery(layer, settled), enabled: mayRun && isComplete, retry: false })
  if (!mayRun || !isComplete) return null
  return (
    <p className="text-muted text-xs" role="status" data-backtest="">
      {backtest.error === null ? (
        backtest.data === undefined || text !== JSON.stringify(draft) ? (
          'Checking the last 30 days…'
        ) : (
          <Words of={backtest.data.data} layer={layer} />
        )
      ) : (
        errorWords(backtest.error)
      )}
    </p>
  )
}

/** Whether the draft limits something and every amount is valid. */
function isWhole({ allowedModels, ...amounts }: ControlsDraft): boolean {
  const texts = Object.values(amounts).map((amount) => amount ?? '')
  if (texts.some((amount) => !budgetRule.pattern.value.test(amount))) return false
  return texts.some((amount) => amount.trim() !== '') || (allowedModels?.length ?? 0) > 0
}

function Words({ of: backtest, layer }: { readonly of: Backtest; readonly layer: Layer }) {
  const [requests, refused] = [Number(backtest.requests), Number(backtest.refused)]
  const owner = layer.kind === 'organization' ? {} : { [layer.kind]: layer.id }
  if (requests === 0) return <>No requests since {dayOf(backtest.from)}, so there is nothing to compare with.</>
  if (refused === 0) {
    return (
      <>
        Since {dayOf(backtest.from)}, none of {plural(requests, 'request')} would have been refused.
      </>
    )
  }
  const { worstMinute } = backtest
  return (
    <>
      Since {dayOf(backtest.from)}, this would have refused{' '}
      <strong className="font-medium text-ink">
        {refused.toLocaleString('en')} of {plural(requests, 'request')}
      </strong>
      , worth <Money usd={backtest.refusedSpend} short />. <People of={backtest} />
      {worstMinute === null ? null : (
        <>
          {' '}
          Worst minute:{' '}
          <Link
            to="/requests"
            search={{
              ...owner,
              from: worstMinute.at,
              to: new Date(Date.parse(worstMinute.at) + minuteMs).toISOString(),
            }}
            className="text-accent-strong underline underline-offset-2"
          >
            {plural(Number(worstMinute.refused), 'request')}, <Time iso={worstMinute.at} absolute />
          </Link>
          .
        </>
      )}
    </>
  )
}

/** The people with the most refused requests, each with a link to their requests. */
function People({ of: { people, peopleCount } }: { readonly of: Backtest }) {
  const named = people.flatMap(({ memberId, name }) => (memberId === null || name === null ? [] : [{ memberId, name }]))
  const shown = named.slice(0, 3)
  const others = Number(peopleCount) - shown.length
  if (shown.length === 0) return 'Affected: keys without a member.'
  return (
    <>
      Affected:{' '}
      {shown.map(({ memberId, name }, index) => (
        <span key={memberId}>
          {index === 0 ? '' : ', '}
          <Link
            to="/requests"
            search={{ member: memberId, period: '30d' }}
            className="text-accent-strong underline underline-offset-2"
          >
            {name}
          </Link>
        </span>
      ))}
      {others === 0 ? '' : ` and ${plural(others, 'other')}`}.
    </>
  )
}

function dayOf(iso: string): string {
  return new Date(iso).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
}
