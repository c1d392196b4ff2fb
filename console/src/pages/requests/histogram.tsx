import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { formatUsd } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Bucket, TimeSpan } from './time-span.ts'

/** Requests by hour or day. A click selects one bar, a drag selects several; arrow keys and Enter do the same. */
export function Histogram({
  buckets,
  span,
  onSelect,
}: {
  readonly buckets: readonly Bucket[] | undefined
  readonly span: TimeSpan
  readonly onSelect: (range: { readonly fromMs: number; readonly toMs: number }) => void
}) {
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null)
  const [focused, setFocused] = useState(0)
  const bars = useRef<HTMLDivElement>(null)
  if (buckets === undefined) return <Skeleton className="h-16 w-full" />
  const highest = Math.max(...buckets.map(({ requests }) => requests), 1)
  const [low, high] = dragged === null ? [-1, -1] : dragged.toSorted((one, other) => one - other)
  const finish = () => {
    const [first, last] = [buckets[low ?? -1], buckets[high ?? -1]]
    setDragged(null)
    if (first !== undefined && last !== undefined) onSelect({ fromMs: first.startMs, toMs: last.endMs })
  }
  const step = (event: KeyboardEvent, by: number) => {
    event.preventDefault()
    const next = Math.min(Math.max(focused + by, 0), buckets.length - 1)
    setFocused(next)
    bars.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={bars}
      role="toolbar"
      aria-label={`Requests by ${span.granularity} (UTC). Select a bar to list its requests.`}
      className="flex h-16 touch-pan-y select-none items-stretch"
      onPointerDown={(event) => {
        const index = indexAt(event)
        if (event.button === 0 && index >= 0) setDragged([index, index])
      }}
      onPointerMove={(event) => {
        const index = indexAt(event)
        if (dragged !== null && index >= 0) setDragged([dragged[0], index])
      }}
      onPointerUp={finish}
      onPointerLeave={() => setDragged(null)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') step(event, 1)
        if (event.key === 'ArrowLeft') step(event, -1)
      }}
    >
      {buckets.map((bucket, index) => (
        <Bar
          key={bucket.startMs}
          bucket={bucket}
          index={index}
          label={labelOf(bucket, span)}
          share={bucket.requests / highest}
          isFocused={index === focused}
          isDragged={index >= (low ?? -1) && index <= (high ?? -1)}
          isListed={bucket.startMs < span.listed.toMs && bucket.endMs > span.listed.fromMs}
          onPress={() => onSelect({ fromMs: bucket.startMs, toMs: bucket.endMs })}
        />
      ))}
    </div>
  )
}

function indexAt({ target }: PointerEvent): number {
  return target instanceof HTMLElement ? Number(target.closest('button')?.dataset['index'] ?? -1) : -1
}

function Bar(props: {
  readonly bucket: Bucket
  readonly index: number
  readonly label: string
  readonly share: number
  readonly isFocused: boolean
  readonly isDragged: boolean
  readonly isListed: boolean
  readonly onPress: () => void
}) {
  const { index, label, share, isFocused, isDragged, isListed, onPress } = props
  return (
    <button
      type="button"
      data-index={index}
      tabIndex={isFocused ? 0 : -1}
      title={label}
      aria-label={label}
      // A pointer selects on release; a click without a pointer comes from the keyboard.
      onClick={(event) => (event.detail === 0 ? onPress() : undefined)}
      className={classNames('flex min-w-0 flex-1 items-end sm:px-px', isDragged ? 'bg-accent-soft' : 'hover:bg-raised')}
    >
      <span
        aria-hidden="true"
        style={{ height: share === 0 ? 1 : `${Math.max(share * 100, 4)}%` }}
        className={classNames(
          'pointer-events-none block w-full rounded-t-[1px]',
          share === 0 ? 'bg-line' : isListed ? 'bg-accent' : 'bg-line-strong opacity-50',
        )}
      />
    </button>
  )
}

function labelOf({ startMs, requests, nano }: Bucket, { granularity }: TimeSpan): string {
  const iso = new Date(startMs).toISOString()
  const at = granularity === 'hour' ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : `${iso.slice(0, 10)} UTC`
  return `${at}: ${plural(requests, 'request')}, ${formatUsd(nano)}`
}
