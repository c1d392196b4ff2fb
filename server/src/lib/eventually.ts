/** A value that is here, or will be. What is here needs no turn of the event loop. */
export type Eventually<Value> = Value | Promise<Value>

/** Continues at once if the value is here. Then `next` may throw instead of returning a rejected promise. */
export function onceHere<Value, Result>(
  value: Eventually<Value>,
  next: (value: Value) => Eventually<Result>,
): Eventually<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
