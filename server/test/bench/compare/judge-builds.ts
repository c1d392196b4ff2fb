import { quantileOf } from '../figure.ts'

/** What one process measured: the CPU of a request in turns of the yardstick, for each build. */
export interface ComparedCosts {
  readonly first: number
  /** The first build, loaded a second time: the null test. */
  readonly again: number
  readonly second: number
}

/**
 * Says what the processes can tell: the second build differs only if all of them agree, by more than the null test ever
 * differed from itself.
 */
export function judgeBuilds(processes: readonly ComparedCosts[], names: { first: string; second: string }): string[] {
  const ratios = processes.map(({ first, again, second }) => second / Math.sqrt(first * again))
  const nulls = processes.map(({ first, again }) => Math.max(again / first, first / again))
  const noise = Math.max(...nulls)
  const lines = processes.map(
    ({ first, again, second }, index) =>
      `process ${index + 1}: ${names.first} again ${share(again / first)}, ${names.second} ${share(second / first)} of ${names.first}`,
  )
  const isMore = ratios.every((ratio) => ratio > noise)
  const isLess = ratios.every((ratio) => ratio < 1 / noise)
  const median = share(quantileOf(ratios, 0.5))
  const verdict =
    isMore || isLess
      ? `a request takes ${median} of the CPU in ${names.second} (the same build differs from itself by up to ${percent(noise)})`
      : `no difference can be told: ${median} in ${names.second}, and the same build differs from itself by up to ${percent(noise)}`
  return [...lines, verdict]
}

function share(ratio: number): string {
  return ratio.toFixed(3)
}

function percent(ratio: number): string {
  return `${((ratio - 1) * 100).toFixed(1)} %`
}
