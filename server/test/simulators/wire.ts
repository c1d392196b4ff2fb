/** The wire form of body bytes. The transformations apply in the order of these fields. */
export interface Wire {
  /** A comment line and a blank line before every frame, for example `: ping`. */
  comments?: string
  /** Every LF becomes CRLF. */
  crlf?: boolean
  /** The newlines after the last frame are dropped. */
  missingFinalNewline?: boolean
  /** A byte order mark before the first frame. */
  bom?: boolean
  /** Compresses the body, flushing after every write, and sets `content-encoding`. */
  encoding?: 'gzip' | 'br'
  split?: Split
}

/**
 * `none`: one write per write step. `every-byte`: one write per byte. `{ at }`: consecutive write steps are joined and
 * cut at these byte offsets of the whole body, so `{ at: [] }` sends as much as possible at once.
 */
type Split = 'none' | 'every-byte' | { at: number[] }
