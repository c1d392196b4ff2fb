import { discountMaxPpm } from './provider-cost.ts'

const ppmPerPercent = discountMaxPpm / 100
const percentForm = /^(\d{1,3})(?:\.(\d{1,4}))?$/

/** A percentage such as `12.5` as millionths. Undefined unless it is from 0 to 100 with at most four decimals. */
export function parseDiscount(percent: string): number | undefined {
  const parts = percentForm.exec(percent)
  if (parts === null) return undefined
  const [, whole, decimals = ''] = parts
  const ppm = Number(whole) * ppmPerPercent + Number(decimals.padEnd(4, '0'))
  return ppm <= discountMaxPpm ? ppm : undefined
}

/** Formats millionths as a percentage: `12.5`. */
export function formatDiscount(ppm: number): string {
  const decimals = String(ppm % ppmPerPercent)
    .padStart(4, '0')
    .replace(/0+$/, '')
  const whole = String(Math.floor(ppm / ppmPerPercent))
  return decimals === '' ? whole : `${whole}.${decimals}`
}
