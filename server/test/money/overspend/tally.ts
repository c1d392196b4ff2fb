import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Outcome } from './attack.ts'

/** Sums of outcomes by attack. */
interface Tally {
  add(way: string, outcome: Outcome): void
  /** Lines to print: the total, then the sum of each attack. */
  lines(): string[]
}

export function createTally(): Tally {
  const ways = new Map<string, Outcome[]>()
  return {
    add: (way, outcome) => {
      const known = ways.get(way)
      if (known === undefined) ways.set(way, [outcome])
      else known.push(outcome)
    },
    lines: () => [
      `overspend: ${sumOf([...ways.values()].flat())}`,
      worstLoss(ways),
      ...[...ways].map(([way, outcomes]) => `  ${way}: ${sumOf(outcomes)}`),
    ],
  }
}

/** The attack where the attacker's dollar cost the operator most. */
function worstLoss(ways: ReadonlyMap<string, readonly Outcome[]>): string {
  const losses = [...ways].map(([way, outcomes]) => {
    const sum = (of: (outcome: Outcome) => bigint): number =>
      Number(outcomes.reduce((total, each) => total + of(each), 0n))
    const spent = sum(({ charged }) => charged)
    return { way, loss: spent === 0 ? 0 : sum(({ absorbed }) => absorbed) / spent }
  })
  const [worst] = losses.toSorted((one, other) => other.loss - one.loss)
  return `  worst operator loss: ${(worst?.loss ?? 0).toFixed(2)} USD for each USD that the attacker spent (${worst?.way ?? 'none'})`
}

function sumOf(outcomes: readonly Outcome[]): string {
  const count = (of: (outcome: Outcome) => number): number => outcomes.reduce((sum, each) => sum + of(each), 0)
  const usd = (of: (outcome: Outcome) => bigint): string =>
    formatUsd(nanoUsd(outcomes.reduce((sum, each) => sum + of(each), 0n)))
  const calls = `${count(({ calls }) => calls)} calls, ${count(({ served }) => served)} served`
  const money = `${usd(({ charged }) => charged)} USD charged, ${usd(({ absorbed }) => absorbed)} USD absorbed`
  return `${outcomes.length} rounds, ${calls}, ${count(({ cutOff }) => cutOff)} cut off, ${money}, ${usd(({ excess }) => excess)} USD in excess`
}
