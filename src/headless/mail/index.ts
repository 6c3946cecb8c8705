/** What writing mail needs in the browser and in the gateway alike: addresses, subjects, recipients of answers, quotes. */
export {
  addressText,
  areMailAddresses,
  asciiAddress,
  displayAddress,
  domainOf,
  isMailAddress,
  needsUtf8,
  parseAddresses,
  type MailAddress,
} from './addresses'
export { addressLine, QUOTE_LABELS, quotedHtml, speaksOfAttachment, type QuotedMail } from './quote'
export { answerRecipients, type AnsweredMail, type AnswerRecipients } from './recipients'
export { bareSubject, forwardSubject, replySubject } from './subject'
export { filledIn, openVariables } from './variables'
export { timedAt } from './timing'
export {
  escapedText,
  filledWith,
  joinLetter,
  LARGEST_FILE,
  LARGEST_MAIL,
  sizeInMail,
  splitLetter,
  zoneOfAddress,
  zoneOfCountry,
  type LetterParts,
} from './letter'
