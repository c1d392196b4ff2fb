/**
 * Whether Postgres refused what was sent (a number out of range, a broken rule) and would again: SQLSTATE classes 22 and 23.
 * Everything else (full disk, read-only standby, lost connection) is the state of the store, and passes.
 */
export function isDataFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]\w{3}$/.test(error.code)
}
