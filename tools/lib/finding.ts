/** One violation that a check reports. */
export type Finding = {
  readonly rule: string
  readonly path: string
  readonly message: string
  readonly line?: number
}

export function formatFinding({ rule, path, line, message }: Finding): string {
  return `${path}${line === undefined ? '' : `:${line}`}  ${rule}: ${message}`
}
