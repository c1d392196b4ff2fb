import type { FilterTemplateName } from '../filter-templates.ts'
import { findApiSecrets } from './api-secret.ts'
import { findCreditCards } from './credit-card.ts'
import type { Detector } from './detector.ts'
import { findEmailAddresses } from './email-address.ts'
import { findIbans } from './iban.ts'
import { findPromptInjections } from './injection/prompt-injection.ts'
import { findIpAddresses } from './ip-address.ts'
import { findJsonWebTokens } from './json-web-token.ts'
import {
  findDutchCitizenNumbers,
  findFrenchSocialSecurity,
  findGermanTaxIds,
  findItalianTaxCodes,
  findSpanishNationalIds,
  findUkNhsNumbers,
} from './national-ids.ts'
import { findPhoneNumbers } from './phone-number.ts'
import { findPrivateKeys } from './private-key.ts'
import { findUsSocialSecurity } from './us-social-security.ts'

/** The detector of each template. */
export const detectors: Readonly<Record<FilterTemplateName, Detector>> = {
  credit_card: findCreditCards,
  iban: findIbans,
  email_address: findEmailAddresses,
  phone_number: findPhoneNumbers,
  us_social_security: findUsSocialSecurity,
  dutch_citizen_number: findDutchCitizenNumbers,
  french_social_security: findFrenchSocialSecurity,
  german_tax_id: findGermanTaxIds,
  italian_tax_code: findItalianTaxCodes,
  spanish_national_id: findSpanishNationalIds,
  uk_nhs_number: findUkNhsNumbers,
  ip_address: findIpAddresses,
  api_secret: findApiSecrets,
  private_key: findPrivateKeys,
  json_web_token: findJsonWebTokens,
  prompt_injection: findPromptInjections,
}
