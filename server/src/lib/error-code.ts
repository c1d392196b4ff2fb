/** The code of an error, such as `ECONNREFUSED`, for a log that must not show its text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
