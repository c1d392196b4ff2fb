/** Ends a complete switch: the compiler reports a new case that is not handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
