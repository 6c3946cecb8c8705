/** Mail as bytes: read, cleaned and composed, and what is wrong with a connection that carries it. */
export { freeze, type ComposedFile } from './compose'
export { faultInWords } from './faults'
export { cleanHtml, HTML_VERSION, linksOf, pictureAddresses, plainText } from './html'
export { attachmentOf, readMail, type MailAttachment, type ReadMail } from './read'
