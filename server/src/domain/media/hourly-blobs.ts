/** Blobs whose keys begin with the hour in which they were created, so that they can be found when they expire. */
export interface HourlyBlobs {
  readonly prefix: string
  keyAt(createdAtMs: number, rest: string): string
  /** The start of the hour of a key, or null if it is not the key of such a blob. */
  hourMsOf(key: string): number | null
  /** The rest of a key after its hour, or null if it is not the key of such a blob. */
  restOf(key: string): string | null
}

/** `restForm` matches the whole rest of a key. */
export function createHourlyBlobs(prefix: string, restForm: RegExp): HourlyBlobs {
  const partsOf = (key: string): { hour: string; rest: string } | null => {
    const { hour = '', rest = '' } = form.exec(key.startsWith(prefix) ? key.slice(prefix.length) : '')?.groups ?? {}
    return restForm.test(rest) ? { hour, rest } : null
  }
  return {
    prefix,
    keyAt: (createdAtMs, rest) =>
      `${prefix}${new Date(createdAtMs).toISOString().slice(0, 13).replace('T', '-')}/${rest}`,
    hourMsOf: (key) => {
      const parts = partsOf(key)
      return parts === null ? null : Date.parse(`${parts.hour.slice(0, 10)}T${parts.hour.slice(11)}:00:00Z`)
    },
    restOf: (key) => partsOf(key)?.rest ?? null,
  }
}

const form = /^(?<hour>\d{4}-\d\d-\d\d-\d\d)\/(?<rest>.+)$/
