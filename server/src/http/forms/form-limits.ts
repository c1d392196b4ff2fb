/** What a form may hold. */
export interface FormLimits {
  /** Fields that are files; a file in any other is refused. */
  readonly fileFields: readonly string[]
  /** Over this, a file is refused as `imageTooLarge`, or the whole as too large where there is no more to say. */
  readonly fileBytesMax: number
  readonly bodyBytesMax: number
  /** Whether the same can be said in JSON. */
  readonly orJson: boolean
}
