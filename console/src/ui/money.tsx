import { classNames } from '../lib/class-names.ts'
import { exactUsd, type ExactNumber, formatUsd, formatUsdShort, type Nano, toNano } from '../lib/money.ts'

/**
 * An amount with the significant digits, the exact value on hover, and `data-nano` for tests that compare it with the
 * ledger. `short` rounds to cents, for tiles and axes.
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
