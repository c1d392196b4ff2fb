/**
 * Estimates how many tokens have arrived from the sizes of the frames alone, for growing holds, never for charging. The
 * smallest frame is assumed to be framing except for one byte, so the bytes of other frames beyond its size are text. A
 * frame has at least one token, and no more framing than upstreams send: a single large frame is text.
 */
export class OutputMeter {
  #frames = 0
  #bytes = 0
  #leastBytes = Number.POSITIVE_INFINITY

  add(frameBytes: number): void {
    this.#frames += 1
    this.#bytes += frameBytes
    if (frameBytes < this.#leastBytes) this.#leastBytes = frameBytes
  }

  get frames(): number {
    return this.#frames
  }

  get tokens(): number {
    if (this.#frames === 0) return 0
    const textBytes = this.#bytes - this.#frames * Math.min(this.#leastBytes - 1, framingBytesMax)
    return Math.max(this.#frames, Math.ceil(textBytes / bytesPerToken))
  }
}

// Too many bytes per token are better than too few: an estimate that is too high cuts off output that is paid for.
const bytesPerToken = 5
const framingBytesMax = 512
