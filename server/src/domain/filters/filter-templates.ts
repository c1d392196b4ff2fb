/** The built-in templates: kinds of personal and secret data, and prompt injections. */
export const filterTemplates = {
  credit_card: { kind: 'sensitive', title: 'Payment card numbers' },
  iban: { kind: 'sensitive', title: 'International bank account numbers' },
  email_address: { kind: 'sensitive', title: 'Email addresses' },
  phone_number: { kind: 'sensitive', title: 'Phone numbers' },
  us_social_security: { kind: 'sensitive', title: 'US social security numbers' },
  dutch_citizen_number: { kind: 'sensitive', title: 'Dutch citizen service numbers' },
  french_social_security: { kind: 'sensitive', title: 'French social security numbers' },
  german_tax_id: { kind: 'sensitive', title: 'German tax identification numbers' },
  italian_tax_code: { kind: 'sensitive', title: 'Italian tax codes' },
  spanish_national_id: { kind: 'sensitive', title: 'Spanish identity numbers' },
  uk_nhs_number: { kind: 'sensitive', title: 'UK National Health Service numbers' },
  ip_address: { kind: 'sensitive', title: 'IP addresses' },
  api_secret: {
    kind: 'sensitive',
    title: 'API keys and tokens of known services, and other labeled secrets',
  },
  private_key: { kind: 'sensitive', title: 'Private keys in PEM form' },
  json_web_token: { kind: 'sensitive', title: 'JSON Web Tokens' },
  prompt_injection: { kind: 'injection', title: 'Prompt injection attempts' },
} as const satisfies Record<string, { kind: 'sensitive' | 'injection'; title: string }>

export type FilterTemplateName = keyof typeof filterTemplates
