/** Mail as bytes: read, cleaned and composed, and what is wrong with a connection that carries it. */
export { freeze, type ComposedFile } from './compose'
export { faultInWords, SlowServerError } from './faults'
export { cleanHtml, HTML_VERSION, pictureAddresses } from './html'
export { leave, whileItAnswers } from './patience'
export { attachmentsOf, readMail, type MailAttachment, type ReadMail } from './read'
export { linksOf, plainText } from './words'
