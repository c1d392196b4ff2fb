import type { MediaFile } from '#domain/media/media-file.ts'

export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: MediaFile; readonly filename: string }
