/**
 * The structure after the country and the check digits, in the notation of the IBAN registry: a number of digits (n),
 * letters (a) or either (c), with the countries that use it.
 */
const structures = {
  '10n11c2n': 'BL FR GF GP MC MF MQ NC PF PM RE TF WF YT',
  '11n': 'NO',
  '12n': 'BE',
  '14n': 'AX DK FI FO GL SD',
  '14n15c': 'RU',
  '15n': 'SI',
  '16n': 'AT BA EE LT MN XK',
  '17n': 'HR',
  '18n': 'CR DE ME RS VA',
  '19n': 'AE IL SO TL',
  '1a10n12c': 'IT SM',
  '1a23n': 'CI',
  '20c': 'MD',
  '20n': 'CZ ES SE SK TN',
  '21n': 'AO CV LY MZ PT ST',
  '22n': 'DZ IR IS',
  '23n': 'BI CF CG CM DJ GA GQ KM MG MR TD',
  '23n1a1c': 'BR',
  '24c': 'GT',
  '24n': 'HU MA PL',
  '25n': 'EG',
  '2a12n': 'FK',
  '2a19n': 'GW',
  '2a22n': 'NE SN TG',
  '2c16n': 'GE',
  '2c22n': 'BF BJ ML',
  '2n18c': 'SA',
  '3n10c2n': 'MK',
  '3n13c': 'KZ LU',
  '3n16c': 'OM',
  '4a10n': 'NL',
  '4a13c': 'LV',
  '4a14c': 'BH',
  '4a14n': 'GB IE',
  '4a15c': 'GI',
  '4a15n': 'IQ',
  '4a16c': 'PK RO VG',
  '4a19n3a': 'MU',
  '4a20c': 'AZ',
  '4a20n': 'DO HN NI SV',
  '4a20n3a': 'SC',
  '4a21c': 'PS QA',
  '4a22c': 'KW',
  '4a24c': 'LC',
  '4a4n16c': 'BY',
  '4a4n18c': 'JO YE',
  '4a5n18c': 'MT',
  '4a6n8c': 'BG',
  '4n20c': 'LB',
  '5n12c': 'CH LI',
  '5n17c': 'TR',
  '6n19c': 'UA',
  '7n16c': 'GR',
  '8n12c': 'AD',
  '8n16c': 'AL CY',
} as const

interface IbanStructure {
  /** Length of the whole number. */
  readonly length: number
  /** The pattern of the part after the check digits, in capitals. */
  readonly form: RegExp
}

export const ibanStructures: ReadonlyMap<string, IbanStructure> = new Map(
  Object.entries(structures).flatMap(([structure, countries]) =>
    countries.split(' ').map((country) => [country, parseStructure(structure)] as const),
  ),
)

function parseStructure(structure: string): IbanStructure {
  const parts = Array.from(structure.matchAll(/(\d+)([nac])/g), ([, count = '0', kind = 'n']) => ({
    count: Number(count),
    kind,
  }))
  const classes: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' }
  return {
    length: 4 + parts.reduce((sum, { count }) => sum + count, 0),
    form: new RegExp(`^${parts.map(({ count, kind }) => `${classes[kind] ?? ''}{${count}}`).join('')}$`),
  }
}
