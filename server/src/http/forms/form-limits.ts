/** The limits of a form. */
export interface FormLimits {
  /** File fields; a file in any other field is rejected. */
  readonly fileFields: readonly string[]
  /** A larger file is rejected as `imageTooLarge`, or the whole body as too large. */
  readonly fileBytesMax: number
  readonly bodyBytesMax: number
  /** Whether the endpoint also accepts JSON. */
  readonly orJson: boolean
}
