/** So many UTF-16 units of one request are inspected. Handing over as many takes the event loop 4 to 10 ms. */
export const inspectedLengthMax = 4_000_000

/** The texts of a request as far as they are inspected; the rest is left empty or cut off, never inside of a character. */
export function takeTexts(texts: readonly string[]): { texts: readonly string[]; isWhole: boolean } {
  let room = inspectedLengthMax
  let isWhole = true
  const taken = texts.map((text) => {
    if (text.length <= room) {
      room -= text.length
      return text
    }
    isWhole = false
    const isInsidePair = (text.charCodeAt(room) & 0xfc00) === 0xdc00
    const cut = text.slice(0, isInsidePair ? Math.max(0, room - 1) : room)
    room = 0
    return cut
  })
  return { texts: isWhole ? texts : taken, isWhole }
}
