import type { Figure } from '../figure.ts'
import type { CacheFigures } from './measure-cache.ts'

export function writeCache(figures: CacheFigures): string {
  const rows = Object.entries(figures).map(([mode, { relayed_us, hit_us, times_cheaper }]) => {
    return `| ${mode} | ${shown(relayed_us)} | ${shown(hit_us)} | ${shown(times_cheaper)} |`
  })
  return ['| answer | relayed, CPU µs | hit, CPU µs | times cheaper |', '|---|---|---|---|', ...rows].join('\n')
}

function shown(figure: Figure | null): string {
  return figure === null ? '–' : `${figure.median} (${figure.low} … ${figure.high})`
}
