import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { BodyPiece, FilePiece } from './body-piece.ts'
import type { MediaFile } from './media-file.ts'

/** JSON in which a string may be the base64 of a file, optionally with a prefix such as that of a data URI. */
export type MediaJson = JsonValue | FileText | readonly MediaJson[] | { readonly [key: string]: MediaJson | undefined }

export class FileText {
  readonly prefix: string
  readonly file: MediaFile

  constructor(file: MediaFile, prefix = '') {
    this.file = file
    this.prefix = prefix
  }
}

/** The JSON as body pieces, in which files are still files. Undefined members are left out. */
export function jsonPieces(value: MediaJson): BodyPiece[] {
  const pieces: BodyPiece[] = []
  let text = ''
  const addFile = (piece: FilePiece): void => {
    pieces.push(text, piece)
    text = ''
  }
  const write = (each: MediaJson): void => {
    if (each instanceof FileText) {
      text += JSON.stringify(each.prefix).slice(0, -1)
      addFile({ file: each.file, as: 'base64' })
      text += '"'
    } else if (Array.isArray(each)) {
      text += '['
      each.forEach((item: MediaJson, index) => {
        if (index > 0) text += ','
        write(item)
      })
      text += ']'
    } else if (isMembers(each)) {
      text += '{'
      let isFirst = true
      for (const [key, member] of Object.entries(each)) {
        if (member === undefined) continue
        text += `${isFirst ? '' : ','}${JSON.stringify(key)}:`
        isFirst = false
        write(member)
      }
      text += '}'
    } else {
      text += JSON.stringify(each)
    }
  }
  write(value)
  pieces.push(text)
  return pieces
}

function isMembers(value: MediaJson): value is { readonly [key: string]: MediaJson | undefined } {
  return isJsonObject(value)
}
