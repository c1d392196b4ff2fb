/** The limits of a form. */
export interface FormLimits {
  /** File fields; a file in any other field is rejected. */
  readonly fileFields: readonly string[]
  /** A larger file is rejected as `imageTooLarge`, or the whole body as too large. */
  readonly fileBytesMax: number
  readonly bodyBytesMax: number
  /** The maximum size of JSON in place of a form; null if the endpoint accepts only forms. */
  readonly jsonBytesMax: number | null
}
