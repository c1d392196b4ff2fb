const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/**
 * The rules with all durations shortened: of the fault, of the rate windows, and of the lag of rollups and sinks. Other
 * thresholds are not durations and stay.
 */
export function shortenRules(rules: string, factor: number): string {
  return rules
    .replaceAll(/(\bfor: |\[|\boffset )(\d+)([smh])\b/g, (_all, before: string, count: string, unit: string) => {
      const ms = (Number(count) * (unitsMs[unit] ?? Number.NaN)) / factor
      return `${before}${Math.round(ms)}ms`
    })
    .replaceAll(
      /(_lag_seconds\) > )(\d+)/g,
      (_all, before: string, seconds: string) => before + Number(seconds) / factor,
    )
}
