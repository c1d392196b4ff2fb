import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { type ExactNumber, formatUsd, formatUsdShort, toNano } from '../../lib/money.ts'

/** An amount with its sign, exact on hover. More spend is not bad by itself, so it has no colour. */
export function ChangeAmount({
  amount,
  className,
}: {
  readonly amount: ExactNumber
  readonly className?: string
}): ReactNode {
  const nano = toNano(amount)
  const size = nano < 0n ? -nano : nano
  const sign = nano > 0n ? '+' : nano < 0n ? '−' : ''
  return (
    <span className={classNames('figures whitespace-nowrap', className)} title={`${sign}${formatUsd(size)}`}>
      {sign}
      {formatUsdShort(size)}
    </span>
  )
}
