import type { Uuid } from '#lib/uuid.ts'

/** The id and time of the request in its answer. */
export interface Stamp {
  readonly generationId: Uuid
  /** Unix seconds. They have ten digits until the year 2286, so all stamps have the same length. */
  readonly createdS: number
}

/** Text of an answer in which the stamp of one request is replaced by that of another. */
export class TextTemplate {
  readonly #first: string
  readonly #rest: readonly { readonly place: Place; readonly after: string }[]

  constructor(text: string, stamp: Stamp) {
    const places = placesIn(text, stamp)
    this.#first = text.slice(0, places[0]?.from)
    this.#rest = places.map((place, index) => ({ place, after: text.slice(place.to, places[index + 1]?.from) }))
  }

  for(stamp: Stamp): string {
    const write = stampWriter(stamp)
    return this.#rest.reduce((text, { place, after }) => text + write(place) + after, this.#first)
  }
}

/** Bytes under the stamp of a request. */
export interface StampedBytes {
  readonly bytes: Buffer
  /** Called once the bytes are no longer used. */
  release(): void
}

// Maximum copies to reuse. Large buffers are outside the heap, and collecting them takes longer than the rest of a hit.
const sparesMax = 2

/** The same for bytes, which may be many. */
export class BytesTemplate {
  readonly #bytes: Buffer
  readonly #places: readonly Place[]
  readonly #spares: Buffer[] = []

  constructor(bytes: Buffer, stamp: Stamp) {
    this.#bytes = bytes
    // Latin-1 represents bytes one to one.
    this.#places = placesIn(bytes.toString('latin1'), stamp)
  }

  /** Memory of the bytes and of all copies. */
  get byteCount(): number {
    return this.#bytes.length * (1 + sparesMax)
  }

  for(stamp: Stamp): StampedBytes {
    const bytes = this.#spares.pop() ?? Buffer.from(this.#bytes)
    const write = stampWriter(stamp)
    const written = new Map<string, Buffer>()
    for (const place of this.#places) {
      let stamped = written.get(place.tail)
      if (stamped === undefined) {
        stamped = Buffer.from(write(place), 'latin1')
        written.set(place.tail, stamped)
      }
      bytes.set(stamped, place.from)
    }
    return {
      bytes,
      release: () => {
        if (this.#spares.length < sparesMax) this.#spares.push(bytes)
      },
    }
  }
}

/** Every id in an answer contains the id of its request in this form. */
function hexOf(generationId: Uuid): string {
  return generationId.replaceAll('-', '')
}

/** An id of the request, and the time that follows it, if one does. */
interface Place {
  readonly from: number
  readonly to: number
  /** The text after the id, with a stand-in for the time. Often empty. */
  readonly tail: string
}

const timeStandIn = '#'

/**
 * Only the gateway writes the id of a request, so every occurrence is ours. A time is ours if it follows an id in the
 * form that the writers of chat and Responses use. Other times with the same digits belong to the answer.
 */
function placesIn(text: string, { generationId, createdS }: Stamp): Place[] {
  const id = hexOf(generationId)
  const times = `","object":"[a-z.]+","created(?:_at)?":${createdS}(?:,"completed_at":${createdS})?(?=[,}])`
  return Array.from(text.matchAll(new RegExp(`${id}(${times})?`, 'g')), ({ index, 0: { length }, 1: tail = '' }) => ({
    from: index,
    to: index + length,
    tail: tail.replaceAll(String(createdS), timeStandIn),
  }))
}

function stampWriter({ generationId, createdS }: Stamp): (place: Place) => string {
  const [id, time] = [hexOf(generationId), String(createdS)]
  return ({ tail }) => (tail === '' ? id : id + tail.replaceAll(timeStandIn, time))
}
