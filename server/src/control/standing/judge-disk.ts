import { type Finding, fault, ok, warning } from './finding.ts'
import { sizeOf } from './size-of.ts'

export interface DiskFacts {
  readonly folder: string
  readonly isWritable: boolean
  readonly freeBytes: number
  readonly totalBytes: number
}

const mebibyte = 1_048_576
const faultBelowBytes = 256 * mebibyte
const warnBelowBytes = 2_048 * mebibyte
const warnBelowPercent = 5

/** The spool stores settles here while Postgres is unavailable, and a full disk would lose them. */
export function judgeDisk({ folder, isWritable, freeBytes, totalBytes }: DiskFacts): Finding {
  const says = `${folder} has ${sizeOf(freeBytes)} free of ${sizeOf(totalBytes)}`
  if (!isWritable) return fault('disk', `${folder} is not writable by this user`, 'check dataDir (WEIR_DATA_DIR)')
  if (freeBytes < faultBelowBytes)
    return fault('disk', says, 'free disk space: charges are spooled there; see docs/runbooks/disk-filling.md')
  const isLow = freeBytes < warnBelowBytes || freeBytes * 100 < totalBytes * warnBelowPercent
  return isLow
    ? warning(
        'disk',
        says,
        'free disk space: the spool and uploads are stored there; see docs/runbooks/disk-filling.md',
      )
    : ok('disk', says)
}
