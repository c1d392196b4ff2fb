/** Writes a frame with one text in it. */
export type WriteText = (text: string) => string

/**
 * The same frames as `writeFrame`, which must write each text as one JSON string and everything else the same way every
 * time. Only the text is serialized again for each frame.
 */
export function withFrameTemplate(writeFrame: WriteText): WriteText {
  const [before, after, ...more] = writeFrame(mark).split(JSON.stringify(mark))
  if (before === undefined || after === undefined || more.length > 0) return writeFrame
  return (text) => before + JSON.stringify(text) + after
}

/** No id or model name is this character. */
const mark = '\u0000'
