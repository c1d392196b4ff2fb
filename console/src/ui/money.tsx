import { classNames } from '../lib/class-names.ts'
import { exactUsd, type ExactNumber, formatUsd, formatUsdShort, type Nano, toNano } from '../lib/money.ts'

/**
 * An amount: `$` and as many digits as matter, the exact value on hover, and in `data-nano` for tests that hold it
 * against the ledger. `short` rounds to cents, for tiles and axes.
 */
export function Money({
  usd,
  nano,
  short = false,
  className,
}: {
  readonly usd?: ExactNumber | string
  readonly nano?: Nano
  readonly short?: boolean
  readonly className?: string
}) {
  const amount = nano ?? toNano(usd ?? 0)
  return (
    <data
      value={exactUsd(amount)}
      title={`$${exactUsd(amount)}`}
      data-nano={String(amount)}
      className={classNames('figures whitespace-nowrap', className)}
    >
      {short ? formatUsdShort(amount) : formatUsd(amount)}
    </data>
  )
}
