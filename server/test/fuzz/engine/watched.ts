export interface WatchdogOrder {
  readonly shared: SharedArrayBuffer
}

export const headWords = 3
export const nameBytesMax = 64
export const inputBytesMax = 1_048_576

/** The memory shared by both threads. */
interface Watched {
  /**
   * The number of inputs that have started or ended, so that one runs while it is odd; then the byte lengths of the
   * name and of the input.
   */
  readonly head: Int32Array<SharedArrayBuffer>
  readonly name: Uint8Array<SharedArrayBuffer>
  readonly input: Uint8Array<SharedArrayBuffer>
}

export function watchedIn(shared: SharedArrayBuffer): Watched {
  return {
    head: new Int32Array(shared, 0, headWords),
    name: new Uint8Array(shared, headWords * 4, nameBytesMax),
    input: new Uint8Array(shared, headWords * 4 + nameBytesMax),
  }
}
