/** The zeros of the scripts whose digits are one UTF-16 unit; nine more follow each. */
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
  0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
]

const otherDigits = /[\p{Nd}--[0-9]]/gv

/** Writes the digits of every script as ASCII digits; unit for unit as long. */
export function plainDigits(text: string): string {
  return text.replaceAll(otherDigits, (digit) => {
    const unit = digit.charCodeAt(0)
    const zero = zeros.find((candidate) => unit >= candidate && unit <= candidate + 9)
    return zero === undefined ? digit : String(unit - zero)
  })
}
