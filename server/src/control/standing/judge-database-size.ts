import { type Finding, fault, ok, warning } from './finding.ts'
import { sizeOf } from './size-of.ts'

// The write-ahead log, temporary files and a vacuum need the rest.
const warnAbovePercent = 80
const faultAbovePercent = 92

/** `diskBytes` is null where the operator has not said how large the disk of Postgres is. */
export function judgeDatabaseSize(size: { readonly bytes: number; readonly diskBytes: number | null }): Finding {
  const { bytes, diskBytes } = size
  if (diskBytes === null) {
    return ok('database size', `${sizeOf(bytes)}; set postgres.diskGb to compare it with the disk`)
  }
  const says = `${sizeOf(bytes)} of a disk of ${sizeOf(diskBytes)}`
  const advice = 'enlarge the disk, or shorten the retention; see docs/runbooks/database-filling.md'
  if (bytes * 100 > diskBytes * faultAbovePercent) return fault('database size', says, advice)
  return bytes * 100 > diskBytes * warnAbovePercent ? warning('database size', says, advice) : ok('database size', says)
}

/** The setting in bytes. */
export function databaseDiskBytes({ diskGb }: { readonly diskGb: number | null }): number | null {
  return diskGb === null ? null : diskGb * 1_073_741_824
}
