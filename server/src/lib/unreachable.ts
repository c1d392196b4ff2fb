/** Ends a switch whose cases are complete: the compiler objects when a case is added and not handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
