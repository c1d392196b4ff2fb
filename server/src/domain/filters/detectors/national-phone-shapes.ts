/**
 * National phone number formats of countries with a trunk zero or well-known grouping. Only formats with separators,
 * because plain digits could be anything.
 */
const shapes: readonly RegExp[] = [
  // France: five pairs.
  /^0[1-9]([ .-])\d{2}(?:\1\d{2}){3}$/,
  // United Kingdom: London and big cities, other areas, mobile.
  /^\(?0[12]\d{1,3}\)? \d{3,4} \d{3,4}$/,
  /^\(?0(?:1\d{3}|7\d{3}|[38]\d{2}|[38]\d{3})\)?[ -]\d{3,6}(?:[ -]\d{3,4})?$/,
  // Germany, Austria, Switzerland: area, then one number or groups of two to four.
  /^\(?0[1-9]\d{1,4}\)? ?[/-] ?\d{3,8}(?:[ -]\d{1,5}){0,2}$/,
  /^\(0[1-9]\d{1,4}\) ?\d{2,8}(?:[ -]\d{2,5}){0,3}$/,
  /^0[1-9]\d{1,4} \d{3,8}(?:[ -]\d{1,4})?$/,
  /^0[1-9]\d \d{3} \d{2} \d{2}$/,
  /^0[1-9]\d{1,4}(?: \d{2,4}){2,4}$/,
  // Netherlands and Belgium.
  /^0[1-9]\d{0,2}[ -]\d{6,8}$/,
  /^06[ -]\d{2}(?: \d{2}){3}$/,
  /^04\d{2}[ /.]\d{2}[ .]\d{2}[ .]\d{2}$/,
  // Spain: nine digits in known groups.
  /^[679]\d{2} \d{2} \d{2} \d{2}$/,
  // Italy: mobile and area.
  /^3[2-9]\d(?:[ .-]\d{7}|([.-])\d{3}\1\d{4})$/,
  // Russia: trunk eight.
  /^8[ -]?\(\d{3}\)[ -]?\d{3}-\d{2}-\d{2}$/,
  /^8 \d{3} \d{3}[ -]\d{2}[ -]\d{2}$/,
  // Japan, Korea, China, India, Brazil, Australia.
  /^0[1-9]\d{0,3}-\d{1,4}-\d{4}$/,
  /^1[3-9]\d[ -]\d{4}[ -]\d{4}$/,
  /^\(0?\d{2}\) ?9?\d{4}-\d{4}$/,
  /^0[2-478] \d{4} \d{4}$/,
  /^04\d{2} \d{3} \d{3}$/,
]

export function isNationalShape(written: string): boolean {
  const digits = written.replaceAll(/\D/g, '')
  return digits.length >= 9 && digits.length <= 12 && shapes.some((shape) => shape.test(written))
}
