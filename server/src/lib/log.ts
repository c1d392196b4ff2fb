/** The log of a process, one event per line. */
export interface Log {
  debug(event: object, message: string): void
  info(event: object, message: string): void
  warn(event: object, message: string): void
  error(event: object, message: string): void
  isLevelEnabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean
}
